import { type BillingPeriod, billingPeriods, planNameOf } from '@alcove/contract/plans'
import { bytesOf, type PlanOfPeriod } from '../../../api/plans-on-sale.ts'
import { formatSize } from '../../../lib/format.ts'

/** The plan that a user has. The price of one that is no longer sold isn't known here. */
export interface CurrentPlan {
  readonly planName: string
  readonly period: BillingPeriod
  readonly price?: number | null
}

/** A change from one paid plan to another. What isn't known is undefined. */
export interface PlanChange {
  readonly from: CurrentPlan | undefined
  readonly to: PlanOfPeriod | undefined
  readonly usedBytes: number | undefined
}

/** Returns the user's plan from what is for sale or, if it is no longer sold, from its name, which ends with the period. */
export function describeCurrent(onSale: PlanOfPeriod | undefined, planName: string): CurrentPlan | undefined {
  if (onSale) return { planName: planNameOf(onSale), period: onSale.period, price: onSale.price }
  const period = billingPeriods.find((one) => planName.endsWith(` ${one}`))
  return period && { planName, period }
}

/** Returns the consequences of a change of plan, in sentences. */
export function describeChange({ from, to, usedBytes }: PlanChange): readonly string[] {
  const sentences = to?.period === 'Lifetime' ? describePurchase(from) : describeSwitch(from, to)
  if (!to || usedBytes === undefined || usedBytes <= bytesOf(to)) return sentences
  return [
    ...sentences,
    `You use ${formatSize(usedBytes)}. Nothing is deleted, but you can’t upload while you use more than ${to.tier}.`,
  ]
}

/** For a lifetime plan, which stays valid next to any other plan. */
const KEPT = 'You keep your current plan as well; the larger of the two counts.'

function describePurchase(from: PlanChange['from']): readonly string[] {
  const payment = 'You pay once, on the next page.'
  if (from?.period === 'Lifetime') return [payment, KEPT]
  return [payment, 'Your subscription then ends. The unused part isn’t refunded, but is kept as credit.']
}

function describeSwitch(from: PlanChange['from'], to: PlanChange['to']): readonly string[] {
  if (from?.period === 'Lifetime') return ['You pay on the next page.', KEPT]
  const isOtherPeriod = from !== undefined && to !== undefined && from.period !== to.period
  return [
    isOtherPeriod
      ? 'Your plan changes now, and a new billing period starts today.'
      : 'Your plan changes now. The date of your next payment stays the same.',
    'The difference is prorated: the unused part of your current period is deducted, and the rest is charged to your card now. Any surplus is kept as credit.',
  ]
}

/** Returns the label of the button that confirms a change. */
export function verbOf({ from, to }: PlanChange): string {
  const isPaidOnNextPage = to?.period === 'Lifetime' || from?.period === 'Lifetime'
  return isPaidOnNextPage ? 'Continue to Payment' : 'Change Plan'
}
