import { calls } from '@alcove/contract/calls'
import { type BillingPeriod, descriptionOf, featuresOf, gigabytesOf, type Plan, plans } from '@alcove/contract/plans'
import { endpoint } from '../../platform/http/api.ts'
import { plansSetting, readSetting } from '../site/index.ts'
import { toDollars } from './prices.ts'

export const listPlans = endpoint(calls.listPlans, async (ctx) => {
  const { enabled } = await readSetting(ctx, plansSetting)
  if (!enabled) return { Monthly: [], Annually: [], Lifetime: [] }
  return { Monthly: plansFor('Monthly'), Annually: plansFor('Annually'), Lifetime: plansFor('Lifetime') }
})

function plansFor(period: BillingPeriod) {
  return plans
    .filter((plan) => plan.period === period)
    .toSorted((a, b) => gigabytesOf(a.tier) - gigabytesOf(b.tier))
    .map(present)
}

function present(plan: Plan) {
  const { planId, tier, priceInCents, highlight } = plan
  const [description, features] = [descriptionOf(plan), [...featuresOf(plan)]]
  return { planId, tier, price: toDollars(priceInCents), description, features, highlight }
}

export const getPaymentSettings = endpoint(calls.getPaymentSettings, async ({ payments }) => ({
  mode: payments.mode,
  ...(await payments.cardFormSettings()),
}))
