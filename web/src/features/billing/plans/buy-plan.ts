import { createCheckoutSession } from '@alcove/contract/billing'
import { FREE_PLAN } from '@alcove/contract/plans'
import type { QueryClient } from '@tanstack/react-query'
import { send } from '../../../api/api.ts'
import { storageQuery } from '../../../api/fetch-storage.ts'
import { getSession } from '../../../api/session.ts'
import { randomId } from '../../../lib/random-id.ts'
import { notifyBusy, notifyError } from '../../../ui/toasts/notify.tsx'
import { plansQuery } from '../queries.ts'
import { askToChangePlan } from './ask-to-change-plan.ts'
import { findPaymentPage } from './payment-page.ts'
import { findOnSale } from './plans-on-sale.ts'
import { createPurchaseAttempts } from './purchase-attempts.ts'
import { describePurchaseFailure, isErrorResponse } from './purchase-failure.ts'

/** They outlive the screen: leaving it and coming back is no new decision. */
const attempts = createPurchaseAttempts(randomId)

/** Whether a plan is to be paid for. Who already pays for another is asked first, since that may change at once. */
export async function isPlanWanted(planId: number, queryClient: QueryClient): Promise<boolean> {
  const current = await findCurrentPlan(queryClient)
  if (current.planId === planId) {
    notifyError('This is already your plan.')
    return false
  }
  return current.planId === FREE_PLAN.planId || isChangeWanted(current, planId, queryClient)
}

interface CurrentPlan {
  readonly planId: number | undefined
  readonly usedBytes?: number
}

/** Money is at stake, so the server is asked; what this browser remembers may be old. */
async function findCurrentPlan(queryClient: QueryClient): Promise<CurrentPlan> {
  try {
    const { plan_id, used_bytes } = await queryClient.fetchQuery({ ...storageQuery, retry: false, staleTime: 0 })
    return { planId: plan_id, usedBytes: used_bytes }
  } catch {
    return { planId: getSession().planId }
  }
}

async function isChangeWanted(current: CurrentPlan, planId: number, queryClient: QueryClient): Promise<boolean> {
  const plans = await queryClient.fetchQuery({ ...plansQuery, retry: false }).catch(() => undefined)
  const { usedBytes } = current
  return askToChangePlan({ from: findOnSale(plans, current.planId), to: findOnSale(plans, planId), usedBytes })
}

/** Begins to pay. Answers the page to go to, or undefined when that failed, which the user has been told. */
export async function openCheckout(planId: number): Promise<string | undefined> {
  const endBusy = notifyBusy('Taking you to the payment page…')
  try {
    const attemptId = attempts.idFor(planId, getSession().token ?? '')
    const { url } = await send(createCheckoutSession, { planId, attemptId })
    attempts.end()
    const page = findPaymentPage(url, window.location.href)
    if (!page) notifyError('Failed to redirect to payment.')
    return page
  } catch (error) {
    if (isErrorResponse(error)) attempts.end()
    notifyError(describePurchaseFailure(error))
    return undefined
  } finally {
    endBusy()
  }
}
