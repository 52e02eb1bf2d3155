import type { PlanCatalogue } from '@alcove/contract/admin-plans'
import { Button, Skeleton, VisuallyHidden } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { useFocusFallback } from '../../../lib/use-focus-fallback.ts'
import { Card } from '../../../ui/Card.tsx'
import { LoadError } from '../../../ui/LoadError.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { InvitationRow } from './InvitationRow.tsx'
import styles from './InvitationsCard.module.css'
import { InviteForm } from './InviteForm.tsx'
import { invitationsQuery } from './queries.ts'

/** Invites people, and lists the invitations that nobody has used yet. */
export function InvitationsCard({ catalogue }: { readonly catalogue: PlanCatalogue }) {
  const { data, isError, isFetching, refetch, hasNextPage, fetchNextPage, isFetchingNextPage, isFetchNextPageError } =
    useInfiniteQuery(invitationsQuery)
  const invitations = data?.pages.flatMap((page) => page.invitations)
  const content = useRef<HTMLDivElement>(null)
  useFocusFallback(content, invitations?.map(({ id }) => id).join(' '))
  return (
    <Card title="Invitations">
      <div ref={content} className={styles.card} tabIndex={-1}>
        {data?.pages[0]?.sendsMail === false && (
          <Notice
            tone="info"
            text="This server sends no mail (ALCOVE_SMTP_URL isn’t set). Copy the link of an invitation and give it to the person yourself."
          />
        )}
        <InviteForm catalogue={catalogue} />
        {invitations === undefined ? (
          isError ? (
            <LoadError text="Unable to load the invitations." isBusy={isFetching} onRetry={() => void refetch()} />
          ) : (
            <>
              <VisuallyHidden role="status">Loading...</VisuallyHidden>
              <Skeleton height={80} radius={16} />
            </>
          )
        ) : invitations.length === 0 ? (
          <p className={styles.empty}>There are no open invitations.</p>
        ) : (
          <ul className={styles.list} aria-label="Open invitations">
            {invitations.map((invitation) => (
              <InvitationRow key={invitation.id} invitation={invitation} catalogue={catalogue} />
            ))}
          </ul>
        )}
        {invitations && isError && (
          <LoadError
            text={isFetchNextPageError ? 'Unable to load more invitations.' : 'Unable to load the invitations.'}
            isBusy={isFetching}
            onRetry={() => void (isFetchNextPageError ? fetchNextPage() : refetch())}
          />
        )}
        {hasNextPage && !isError && (
          <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show older invitations
          </Button>
        )}
      </div>
    </Card>
  )
}
