import { DEFAULT_ALLOCATION, GIGABYTE } from './limits.ts'

/** The billing periods, in display order. */
export const billingPeriods = ['Monthly', 'Annually', 'Lifetime'] as const
export type BillingPeriod = (typeof billingPeriods)[number]

/** A plan for sale. */
export interface Plan {
  /** Never reused for another plan, because purchases refer to it. 0 is the free plan. */
  readonly planId: number
  readonly period: BillingPeriod
  /** What it is called instead of its tier. */
  readonly name?: string
  /** A whole number, a space, and GB or TB: `500 GB`, `2 TB`. */
  readonly tier: string
  /** US cents. */
  readonly priceInCents: number
  readonly highlight: boolean
  /** Instead of the sentence for its tier. */
  readonly description?: string
}

/** The plan of users without a purchase. */
export const FREE_PLAN = { planId: 0, planName: 'free', allocation: DEFAULT_ALLOCATION } as const

/** The plan name of accounts on a server without plans: there is nothing to name, and they have everything. */
export const NO_PLAN_NAME = ''

/**
 * The plans of the installation, which are sold until an administrator changes the plans. Ids are from 1 to 1000: administrators' plans
 * have larger ones. A changed line changes the plan for those who have it, so give other terms a new id, and remove a plan only when no
 * user has it.
 */
// biome-ignore format: one line per plan
export const plans: readonly Plan[] = [
  { planId: 1, period: 'Monthly', tier: '100 GB', priceInCents: 1_99, highlight: false },
  { planId: 2, period: 'Monthly', tier: '500 GB', priceInCents: 4_99, highlight: true },
  { planId: 3, period: 'Monthly', tier: '2 TB', priceInCents: 9_99, highlight: false },
  { planId: 4, period: 'Monthly', tier: '5 TB', priceInCents: 19_99, highlight: false },
  { planId: 5, period: 'Annually', tier: '100 GB', priceInCents: 19_99, highlight: false },
  { planId: 6, period: 'Annually', tier: '500 GB', priceInCents: 49_99, highlight: true },
  { planId: 7, period: 'Annually', tier: '2 TB', priceInCents: 99_99, highlight: false },
  { planId: 8, period: 'Annually', tier: '5 TB', priceInCents: 199_99, highlight: false },
  { planId: 9, period: 'Lifetime', tier: '100 GB', priceInCents: 99_00, highlight: false },
  { planId: 10, period: 'Lifetime', tier: '500 GB', priceInCents: 199_00, highlight: false },
  { planId: 11, period: 'Lifetime', tier: '2 TB', priceInCents: 399_00, highlight: true },
  { planId: 12, period: 'Lifetime', tier: '5 TB', priceInCents: 799_00, highlight: false },
]

/** One sentence for each tier. A tier without one gets the fallback of the specification. */
const descriptions: Readonly<Record<string, string>> = {
  '100 GB': 'Documents and a phone full of photos.',
  '500 GB': 'Years of photos and the music to go with them.',
  '2 TB': 'Film, raw photos and whole-computer archives.',
  '5 TB': 'For people who never delete anything.',
}

export function descriptionOf({ tier, description }: Pick<Plan, 'tier' | 'description'>): string {
  return description ?? descriptions[tier] ?? 'A flexible and secure cloud storage option.'
}

export function featuresOf({ tier }: Plan): readonly string[] {
  return [`${tier} of storage`, 'Vault, music and video', 'Public links']
}

/** Returns a tier in gigabytes; 1 TB is 1024 GB (specification, section 9). Throws if the text is not a tier. */
export function gigabytesOf(tier: string): number {
  const [, value, unit] = /^([1-9]\d*) (GB|TB)$/.exec(tier) ?? []
  if (!value) throw new Error(`"${tier}" is not a tier.`)
  return Number(value) * (unit === 'TB' ? 1024 : 1)
}

/** Returns the storage limit of a plan in bytes. */
export function allocationOf({ tier }: Plan): number {
  return gigabytesOf(tier) * GIGABYTE
}

/** Returns gigabytes as a tier, in the largest unit that fits exactly: 2048 is `2 TB`, 1536 is `1536 GB`. */
export function tierOf(gigabytes: number): string {
  return gigabytes % 1024 === 0 ? `${gigabytes / 1024} TB` : `${gigabytes} GB`
}

/** Returns the name of a user's plan: its name, or its tier, and the period. For example `2 TB Annually`. */
export function planNameOf({ name, tier, period }: Pick<Plan, 'name' | 'tier' | 'period'>): string {
  return `${name ?? tier} ${period}`
}

/** Returns whether accounts with this plan name have the vault, music and video. */
export function isPaidPlan(planName: string): boolean {
  return planName !== FREE_PLAN.planName
}

/**
 * The query parameter with the result of a purchase. The payment page returns to `/account?checkout=cs_…`, and the web passes
 * that id to `confirmCheckout`. A change of plan, which needs no payment page, returns to `/account?checkout=changed`. A canceled
 * payment returns to `/subscriptions?checkout=canceled`.
 */
export const CHECKOUT_RETURN = 'checkout'
export const PLAN_CHANGED = 'changed'
export const CHECKOUT_CANCELED = 'canceled'
