import { revertToFree } from '@alcove/contract/billing'
import { REDIRECT_AFTER_REVERT } from '@alcove/contract/limits'
import { FREE_PLAN } from '@alcove/contract/plans'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useRef } from 'react'
import { sentenceOf } from '../../api/sentence-of.ts'
import { updateSession } from '../../api/session.ts'
import { useCall } from '../../api/use-call.ts'
import { useRedirectLater } from '../../lib/use-redirect-later.ts'
import { confirm } from '../../ui/dialogs/confirm.ts'
import { notifyError, notifySuccess } from '../../ui/toasts/notify.tsx'
import { type Dashboard, useRefreshPlan } from './queries.ts'
import { RevertDetail } from './RevertDetail.tsx'

/** Reverts to the free plan once the user has said yes, and then leaves for the files. */
export function useRevertToFree(dashboard: Dashboard | undefined) {
  const { mutate, isPending, isSuccess } = useCall(revertToFree)
  const refreshPlan = useRefreshPlan()
  const redirectLater = useRedirectLater()
  const isAsking = useRef(false)

  async function revert() {
    if (isAsking.current) return
    isAsking.current = true
    const isWanted = await confirm({
      question: 'Revert to the free plan now?',
      detail: <RevertDetail dashboard={dashboard} />,
      verb: 'Revert to Free Plan',
      icon: <IconArrowBackUp size={20} stroke={1.75} />,
    })
    isAsking.current = false
    if (!isWanted) return
    mutate(
      {},
      {
        onSuccess: ({ message }) => {
          updateSession({ planName: FREE_PLAN.planName, planId: FREE_PLAN.planId })
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
