import { revertToFree } from '@alcove/contract/billing'
import { REDIRECT_AFTER_REVERT } from '@alcove/contract/limits'
import { FREE_PLAN, NO_PLAN_NAME } from '@alcove/contract/plans'
import { Anchor } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useRef } from 'react'
import { sentenceOf } from '../../api/api.ts'
import { isPaid, updateSession, useSession } from '../../api/session.ts'
import { useCall } from '../../api/use-call.ts'
import { formatDate } from '../../lib/format.ts'
import { freeStorage, hasPlans } from '../../lib/site.ts'
import { useRedirectLater } from '../../lib/use-redirect-later.ts'
import { BusyButton } from '../../ui/BusyButton.tsx'
import { Card } from '../../ui/Card.tsx'
import { confirm } from '../../ui/dialogs/dialogs.tsx'
import { notifyError, notifySuccess } from '../../ui/toasts/notify.tsx'
import styles from './ManageSubscriptionCard.module.css'
import { type Dashboard, useDashboard, useRefreshPlan } from './queries.ts'

const REVERT = hasPlans() ? 'Revert to Free Plan' : 'End the plan'

/** Offers to revert to the free plan. */
export function ManageSubscriptionCard() {
  const isFree = !isPaid(useSession())
  const { data } = useDashboard()
  const { revert, isBusy } = useRevertToFree(data)
  return (
    <Card title="Manage Subscription">
      <p className={styles.text}>
        {isFree
          ? `You are on the free plan with ${freeStorage}.`
          : `Return to ${freeStorage} of storage. Nothing is deleted, but you can’t upload while you use more than ${freeStorage}.`}
      </p>
      <BusyButton variant="default" loading={isBusy} disabled={isFree} onClick={revert}>
        {REVERT}
      </BusyButton>
    </Card>
  )
}

/** Returns the function that reverts to the free plan after a confirmation, then goes to the files. */
function useRevertToFree(dashboard: Dashboard | undefined) {
  const { mutate, isPending, isSuccess } = useCall(revertToFree)
  const refreshPlan = useRefreshPlan()
  const redirectLater = useRedirectLater()
  const isAsking = useRef(false)

  async function revert() {
    if (isAsking.current) return
    isAsking.current = true
    const isWanted = await confirm({
      question: hasPlans() ? 'Revert to the free plan now?' : 'End your plan now?',
      detail: <RevertDetail dashboard={dashboard} />,
      verb: REVERT,
      icon: <IconArrowBackUp size={20} stroke={1.75} />,
    })
    isAsking.current = false
    if (!isWanted) return
    mutate(
      {},
      {
        onSuccess: ({ message }) => {
          updateSession({ planName: hasPlans() ? FREE_PLAN.planName : NO_PLAN_NAME, planId: FREE_PLAN.planId })
          notifySuccess(message)
          void refreshPlan()
          redirectLater('/profile', REDIRECT_AFTER_REVERT)
        },
        onError: (error) => notifyError(sentenceOf(error) ?? 'An error occurred while reverting to the free plan.'),
      },
    )
  }

  return { revert: () => void revert(), isBusy: isPending || isSuccess }
}

interface RevertDetailProps {
  readonly dashboard: Dashboard | undefined
}

/** Says what reverting means, and how to keep the plan until the end of the paid period instead. */
function RevertDetail({ dashboard }: RevertDetailProps) {
  const { plan = 'Your plan', status, next_billing_date, cancelAtPeriodEnd, endsAt } = dashboard?.subscription ?? {}
  const portalUrl = dashboard?.portal_url
  const end = endsAt ?? next_billing_date
  const paidUntil = end ? `until ${formatDate(end)}` : 'until the end of the period you have paid for'
  if (status === 'lifetime') return `${plan} ends permanently and nothing is refunded. You keep your files.`
  if (cancelAtPeriodEnd)
    return `${plan} ends immediately and nothing is refunded. You keep your files. Your plan is already canceled: if you do nothing, you keep it ${paidUntil}.`
  return (
    <>
      {plan} ends immediately and nothing is refunded. You keep your files.
      {portalUrl && (
        <>
          {' '}
          To keep it {paidUntil}, cancel it in the{' '}
          <Anchor href={portalUrl} target="_blank" rel="noopener" underline="always" inherit>
            billing portal
          </Anchor>{' '}
          instead.
        </>
      )}
    </>
  )
}
