import { createCheckoutSession } from '@alcove/contract/billing'
import { FREE_PLAN } from '@alcove/contract/plans'
import type { QueryClient } from '@tanstack/react-query'
import { ApiError, send } from '../../../api/api.ts'
import { storageQuery } from '../../../api/fetch-storage.ts'
import { findOnSale, plansQuery } from '../../../api/plans-on-sale.ts'
import { getSession } from '../../../api/session.ts'
import { lazyModule } from '../../../lib/lazy-module.ts'
import { randomId } from '../../../lib/random-id.ts'
import { openLater } from '../../../ui/dialogs/dialogs.tsx'
import { notifyBusy, notifyError } from '../../../ui/toasts/notify.tsx'
import { describeCurrent, type PlanChange } from './describe-change.ts'

/** Not part of a component: a purchase that is retried after leaving the screen keeps its key. */
const idempotencyKeys = createIdempotencyKeys(randomId)

const changePlanModal = lazyModule(() => import('./ChangePlanModal.tsx'))

/** Returns whether to buy a plan. Asks users who already have a paid plan, since that may change at once. */
export async function isPlanWanted(planId: number, queryClient: QueryClient): Promise<boolean> {
  const current = await findCurrentPlan(queryClient)
  if (current.planId === planId) {
    notifyError('This is already your plan.')
    return false
  }
  return current.planId === FREE_PLAN.planId || confirmChange(current, planId, queryClient)
}

interface UsersPlan {
  readonly planId?: number
  readonly planName: string
  readonly usedBytes?: number
}

/** Asks the server, since what this browser remembers may be outdated. */
async function findCurrentPlan(queryClient: QueryClient): Promise<UsersPlan> {
  try {
    const storage = await queryClient.fetchQuery({ ...storageQuery, retry: false, staleTime: 0 })
    return { planId: storage.plan_id, planName: storage.plan_name, usedBytes: storage.used_bytes }
  } catch {
    return getSession()
  }
}

async function confirmChange(current: UsersPlan, planId: number, queryClient: QueryClient): Promise<boolean> {
  const plans = await queryClient.fetchQuery({ ...plansQuery, retry: false }).catch(() => undefined)
  const { planName, usedBytes } = current
  const from = describeCurrent(findOnSale(plans, current.planId), planName)
  return askToChangePlan({ from, to: findOnSale(plans, planId), usedBytes })
}

/** Starts a checkout. Returns the address of its page, or undefined after an error message. */
export async function openCheckout(planId: number, queryClient: QueryClient): Promise<string | undefined> {
  const endBusy = notifyBusy('Taking you to the payment page…')
  try {
    const attemptId = idempotencyKeys.keyFor(planId, getSession().token ?? '')
    const { url } = await send(createCheckoutSession, { planId, attemptId })
    idempotencyKeys.end()
    const page = findPaymentPage(url, window.location.href)
    if (!page) notifyError('Failed to redirect to payment.')
    return page
  } catch (error) {
    if (isErrorResponse(error)) {
      idempotencyKeys.end()
      // The plan may have been taken off the list since it was loaded.
      void queryClient.invalidateQueries({ queryKey: plansQuery.queryKey })
    }
    notifyError(describePurchaseFailure(error))
    return undefined
  } finally {
    endBusy()
  }
}

/** Shows what changes with the plan, and asks for confirmation. */
function askToChangePlan(change: PlanChange): Promise<boolean> {
  return new Promise((resolve) => {
    void openLater(changePlanModal, ({ openChangePlanModal }) => openChangePlanModal(change, resolve)).then(
      (isOpen) => !isOpen && resolve(false),
    )
  })
}

/** The idempotency key of a purchase: it is sent again until the server has responded, so that nothing is bought twice. */
interface IdempotencyKeys {
  /** Returns the key for buying a plan with this session. */
  keyFor(planId: number, token: string): string
  /** Ends the purchase: the next one gets a new key. */
  end(): void
}

export function createIdempotencyKeys(newKey: () => string): IdempotencyKeys {
  let open: { readonly planId: number; readonly token: string; readonly key: string } | undefined
  return {
    keyFor(planId, token) {
      if (open?.planId !== planId || open.token !== token) open = { planId, token, key: newKey() }
      return open.key
    },
    end() {
      open = undefined
    },
  }
}

/** Returns the address of a payment page, or undefined unless it is an HTTP or HTTPS address. */
export function findPaymentPage(url: unknown, base: string): string | undefined {
  if (typeof url !== 'string' || !URL.canParse(url, base)) return undefined
  const { protocol, href } = new URL(url, base)
  return protocol === 'https:' || protocol === 'http:' ? href : undefined
}

const FAILED = 'An error occurred while creating your checkout session.'

/** Returns the message for a checkout that failed to start: with the server's reason for a refusal, not for a crash. */
export function describePurchaseFailure(error: unknown): string {
  if (!(error instanceof ApiError) || !error.text) return FAILED
  if (error.status < 500) return error.text
  return error.body?.code === 'payments_unavailable' ? `${FAILED} ${error.text}` : FAILED
}

/** Returns whether the server refused the purchase: then it was not made, and the next attempt is a new one. */
export function isErrorResponse(error: unknown): boolean {
  return error instanceof ApiError && error.status < 500
}
