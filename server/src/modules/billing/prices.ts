import { findPlan, type Plan, planNameOf, plans } from '@alcove/contract/plans'
import type Stripe from 'stripe'
import { isRefused } from '../../platform/payments/stripe.ts'

/** What a price of ours is found by. The amount is in it, so that another amount is another price. */
function lookupKeyOf({ planId, priceInCents }: Plan): string {
  return `alcove_plan_${planId}_${priceInCents}`
}

const INTERVALS = { Monthly: 'month', Annually: 'year' } as const

/** The price of a plan as Stripe has it, made there if need be. Safe however many do so at once. */
export async function ensurePrice(stripe: Stripe, plan: Plan): Promise<Stripe.Price> {
  const found = await findPrice(stripe, plan)
  if (found) return found
  await ensureProduct(stripe, plan)
  try {
    return await stripe.prices.create(priceFor(plan))
  } catch (error) {
    if (!isRefused(error)) throw error
    // Another was first with the lookup key, or a price that is sold no more has it.
    return (
      (await findPrice(stripe, plan)) ?? (await stripe.prices.create({ ...priceFor(plan), transfer_lookup_key: true }))
    )
  }
}

/** Makes what the catalogue has and Stripe has not; answers how many prices were new. */
export async function syncPlans(stripe: Stripe): Promise<number> {
  let made = 0
  for (const plan of plans) {
    if (await findPrice(stripe, plan)) continue
    await ensurePrice(stripe, plan)
    made++
  }
  return made
}

/** The plan that a price is for, also one that was sold for another amount before; undefined for what is not ours. */
export function planOfPrice(price: Stripe.Price): Plan | undefined {
  const planId = price.metadata.planId ?? /^alcove_plan_(\d+)_/.exec(price.lookup_key ?? '')?.[1]
  return planId === undefined ? undefined : planOf(planId)
}

/** A plan that was paid for must be in the catalogue: guessing would take away what someone pays for. */
export function planOf(planId: string): Plan {
  const plan = findPlan(Number(planId))
  if (!plan) throw new Error(`plan ${planId} has been sold, and is not in the catalogue`)
  return plan
}

async function findPrice(stripe: Stripe, plan: Plan): Promise<Stripe.Price | undefined> {
  const { data } = await stripe.prices.list({ lookup_keys: [lookupKeyOf(plan)], active: true, limit: 1 })
  return data[0]
}

function priceFor(plan: Plan): Stripe.PriceCreateParams {
  const { planId, period, priceInCents } = plan
  return {
    product: productIdOf(plan),
    currency: 'usd',
    unit_amount: priceInCents,
    ...(period !== 'Lifetime' && { recurring: { interval: INTERVALS[period] } }),
    lookup_key: lookupKeyOf(plan),
    metadata: { planId: String(planId) },
  }
}

function productIdOf({ planId }: Plan): string {
  return `alcove_plan_${planId}`
}

async function ensureProduct(stripe: Stripe, plan: Plan): Promise<void> {
  const metadata = { planId: String(plan.planId) }
  try {
    await stripe.products.create({ id: productIdOf(plan), name: planNameOf(plan), metadata })
  } catch (error) {
    // It is there already.
    if (!isRefused(error)) throw error
  }
}

/** Amounts are whole cents everywhere but on the wire. */
export function toDollars(cents: number): number {
  return cents / 100
}
