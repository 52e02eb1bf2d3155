import type { PlanCatalogue } from '@alcove/contract/admin-plans'
import { resendInvitation, revokeInvitation, type ServerInvitation } from '@alcove/contract/invitations'
import { FREE_PLAN } from '@alcove/contract/plans'
import { Button } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { sentenceOf } from '../../../api/api.ts'
import { useCall } from '../../../api/use-call.ts'
import { copyText } from '../../../lib/copy-text.ts'
import { formatDay, formatStorage } from '../../../lib/format.ts'
import { BusyButton } from '../../../ui/BusyButton.tsx'
import { notifyError, notifySuccess } from '../../../ui/toasts/notify.tsx'
import { nameOfGiven } from '../plans/queries.ts'
import { adminKeys } from '../queries.ts'
import styles from './InvitationsCard.module.css'

interface InvitationRowProps {
  readonly invitation: ServerInvitation
  readonly catalogue: PlanCatalogue
}

export function InvitationRow({ invitation, catalogue }: InvitationRowProps) {
  const { id, email, url, isExpired, expiresAt } = invitation
  const queryClient = useQueryClient()
  const resend = useCall(resendInvitation)
  const revoke = useCall(revokeInvitation)
  const done = (text: string) => () => {
    notifySuccess(text)
    void queryClient.invalidateQueries({ queryKey: adminKeys.invitations })
  }
  const failed = (error: unknown) => notifyError(sentenceOf(error) ?? 'Couldn’t do that. Try again.')

  async function copy() {
    if (await copyText(url)) notifySuccess('Link copied!')
    else notifyError('This browser doesn’t allow copying.')
  }

  return (
    <li className={styles.row}>
      <div className={styles.what}>
        <p className={styles.address}>
          <bdi>{email}</bdi>
        </p>
        <p className={styles.meta}>
          {[
            isExpired ? `Expired ${formatDay(expiresAt)}` : `Until ${formatDay(expiresAt)}`,
            ...promisesOf(invitation, catalogue),
          ].join(' · ')}
        </p>
      </div>
      <div className={styles.actions}>
        {!isExpired && (
          <Button
            variant="default"
            size="sm"
            aria-label={`Copy link of ${email}`}
            leftSection={<IconCopy size={18} stroke={1.75} />}
            onClick={() => void copy()}
          >
            Copy link
          </Button>
        )}
        <BusyButton
          variant="default"
          size="sm"
          aria-label={`Send again to ${email}`}
          loading={resend.isPending}
          onClick={() => resend.mutate({ id }, { onSuccess: done('The invitation was sent again.'), onError: failed })}
        >
          Send again
        </BusyButton>
        <BusyButton
          variant="default"
          size="sm"
          aria-label={`Take back from ${email}`}
          loading={revoke.isPending}
          onClick={() => revoke.mutate({ id }, { onSuccess: done('The invitation was taken back.'), onError: failed })}
        >
          Take back
        </BusyButton>
      </div>
    </li>
  )
}

/** Returns what the account will have, as far as it isn't what every account has. */
function promisesOf({ role, planId, quota }: ServerInvitation, catalogue: PlanCatalogue): string[] {
  return [
    ...(role === 'admin' ? ['Administrator'] : []),
    ...(planId !== FREE_PLAN.planId && catalogue.arePlansOn ? [nameOfGiven(planId, catalogue)] : []),
    ...(quota === null ? [] : [formatStorage(quota)]),
  ]
}
