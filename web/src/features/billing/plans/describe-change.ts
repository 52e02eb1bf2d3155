import { bytesOf, type PlanOfPeriod } from '../../../api/plans-on-sale.ts'
import { formatSize } from '../../../lib/format.ts'

/** A change from one paid plan to another. A plan that is no longer for sale is undefined. */
export interface PlanChange {
  readonly from: PlanOfPeriod | undefined
  readonly to: PlanOfPeriod | undefined
  readonly usedBytes: number | undefined
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

function describePurchase(from: PlanOfPeriod | undefined): readonly string[] {
  const payment = 'You pay once, on the next page.'
  if (from?.period === 'Lifetime') return [payment, KEPT]
  return [payment, 'Your subscription then ends. The unused part isn’t refunded, but is kept as credit.']
}

function describeSwitch(from: PlanOfPeriod | undefined, to: PlanOfPeriod | undefined): readonly string[] {
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
