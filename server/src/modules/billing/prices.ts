import { type Plan, planNameOf } from '@alcove/contract/plans'
import type Stripe from 'stripe'
import { isRefused } from '../../platform/payments/stripe.ts'
import { metadataOf } from './catalogue/sold-plan.ts'

/** The lookup key of a price. It contains the amount, so another amount is another price. */
function lookupKeyOf({ planId, priceInCents }: Plan): string {
  return `alcove_plan_${planId}_${priceInCents}`
}

const INTERVALS = { Monthly: 'month', Annually: 'year' } as const

/** Returns the price of a plan at Stripe, and creates it if necessary. Safe for concurrent requests. */
export async function ensurePrice(stripe: Stripe, plan: Plan): Promise<Stripe.Price> {
  const found = await findPrice(stripe, plan)
  if (found) return found
  await ensureProduct(stripe, plan)
  try {
    return await stripe.prices.create(priceFor(plan))
  } catch (error) {
    if (!isRefused(error)) throw error
    // Another request created it, or an archived price has the lookup key.
    return (
      (await findPrice(stripe, plan)) ?? (await stripe.prices.create({ ...priceFor(plan), transfer_lookup_key: true }))
    )
  }
}

/** Creates the prices of plans that Stripe doesn't have. Returns how many were new. */
export async function syncPlans(stripe: Stripe, plans: readonly Plan[]): Promise<number> {
  let made = 0
  for (const plan of plans) {
    if (await findPrice(stripe, plan)) continue
    await ensurePrice(stripe, plan)
    made++
  }
  return made
}

/** Returns the id of the plan of a price, including prices with former amounts, or undefined for other prices. */
export function planIdOfPrice({ metadata, lookup_key }: Stripe.Price): string | undefined {
  return metadata.planId ?? /^alcove_plan_(\d+)_/.exec(lookup_key ?? '')?.[1]
}

async function findPrice(stripe: Stripe, plan: Plan): Promise<Stripe.Price | undefined> {
  const { data } = await stripe.prices.list({ lookup_keys: [lookupKeyOf(plan)], active: true, limit: 1 })
  return data[0]
}

function priceFor(plan: Plan): Stripe.PriceCreateParams {
  const { period, priceInCents } = plan
  return {
    product: productIdOf(plan),
    currency: 'usd',
    unit_amount: priceInCents,
    ...(period !== 'Lifetime' && { recurring: { interval: INTERVALS[period] } }),
    lookup_key: lookupKeyOf(plan),
    metadata: metadataOf(plan),
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
    // It already exists.
    if (!isRefused(error)) throw error
  }
}

/** Converts cents to dollars. Only the API uses dollars. */
export function toDollars(cents: number): number {
  return cents / 100
}
