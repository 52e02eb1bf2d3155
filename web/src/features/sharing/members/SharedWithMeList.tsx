import type { SharedFolder } from '@alcove/contract/members'
import { Button, Skeleton, VisuallyHidden } from '@mantine/core'
import { IconDoorExit } from '@tabler/icons-react'
import { useRef } from 'react'
import { Link } from 'react-router'
import { useDelayed } from '../../../lib/use-delayed.ts'
import { useFocusFallback } from '../../../lib/use-focus-fallback.ts'
import { DevicesNiche } from '../../../ui/art/niches.tsx'
import { confirm } from '../../../ui/dialogs/dialogs.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { LoadError } from '../../../ui/LoadError.tsx'
import { InvitationRow } from './InvitationRow.tsx'
import { useLeave, usePlace, useSharedWithMe } from './queries.ts'
import { SharedFolderRow } from './SharedFolderRow.tsx'
import styles from './SharedWithMeList.module.css'

/** Skeletons appear only if loading takes longer than this, in milliseconds. */
const SKELETON_DELAY = 150

interface SharedWithMeListProps {
  readonly addressOf: (folderId: string) => string
}

/** Lists the folders that others share with the user. Open invitations come first. */
export function SharedWithMeList({ addressOf }: SharedWithMeListProps) {
  const { data, isPending, isError, isFetching, refetch } = useSharedWithMe()
  const { mutate: leave } = useLeave()
  const { mutate: place, isPending: isPlacing } = usePlace()
  const showsSkeleton = useDelayed(isPending, SKELETON_DELAY)
  const top = useRef<HTMLElement>(null)
  const shown = data && [
    ...data.invitations.map(({ id }) => id),
    ...data.folders.map(({ memberId, offeredAt }) => `${memberId} ${offeredAt}`),
  ]
  useFocusFallback(top, shown?.join(' '))

  async function askAndLeave(folder: SharedFolder) {
    const isConfirmed = await confirm({
      question: `Are you sure you want to leave “${folder.name}”?`,
      detail: 'You can open it again only if you are invited again. What you added stays in the folder.',
      verb: 'Leave',
      icon: <IconDoorExit size={20} stroke={1.75} />,
    })
    if (isConfirmed) leave(folder)
  }

  if (showsSkeleton) return <SharedWithMeSkeleton />
  if (!data) {
    return (
      isError && <LoadError text="Unable to fetch shared folders." isBusy={isFetching} onRetry={() => void refetch()} />
    )
  }
  const { invitations, folders } = data
  return (
    <section ref={top} className={styles.sections} tabIndex={-1} aria-label="What others share with you">
      {invitations.length > 0 && (
        <section>
          <h2 className={styles.heading}>Invitations</h2>
          <ul className={styles.list}>
            {invitations.map((invitation) => (
              <InvitationRow key={invitation.id} invitation={invitation} />
            ))}
          </ul>
        </section>
      )}
      {folders.length > 0 && (
        <section>
          <h2 className={styles.heading}>Folders</h2>
          <ul className={styles.list}>
            {folders.map((folder) => (
              <SharedFolderRow
                key={folder.memberId}
                folder={folder}
                address={addressOf(folder.id)}
                onPlace={() => !isPlacing && place(folder)}
                onLeave={() => void askAndLeave(folder)}
              />
            ))}
          </ul>
        </section>
      )}
      {invitations.length + folders.length === 0 && (
        <EmptyState
          art={<DevicesNiche />}
          title="Nothing is shared with you"
          hint="Folders that others share with you are listed here."
          action={
            <Button component={Link} to="/profile">
              Go to your files
            </Button>
          }
        />
      )}
    </section>
  )
}

function SharedWithMeSkeleton() {
  return (
    <div className={styles.skeleton}>
      <VisuallyHidden role="status">Loading...</VisuallyHidden>
      {['first', 'second', 'third'].map((row) => (
        <Skeleton key={row} height={58} radius={12} />
      ))}
    </div>
  )
}
