import { calls } from '@alcove/contract/calls'
import { descriptionOf, featuresOf, type Plan } from '@alcove/contract/plans'
import { endpoint } from '../../platform/http/api.ts'
import { plansSetting, readSetting } from '../site/index.ts'
import { readCatalogue } from './catalogue/catalogue.ts'
import { toDollars } from './prices.ts'

export const listPlans = endpoint(calls.listPlans, async (ctx) => {
  const { enabled } = await readSetting(ctx, plansSetting)
  const onSale = enabled ? (await readCatalogue(ctx)).onSale : []
  const plansFor = (period: Plan['period']) => onSale.filter((plan) => plan.period === period).map(present)
  return { Monthly: plansFor('Monthly'), Annually: plansFor('Annually'), Lifetime: plansFor('Lifetime') }
})

function present(plan: Plan) {
  const { planId, name, tier, priceInCents, highlight } = plan
  const [description, features] = [descriptionOf(plan), [...featuresOf(plan)]]
  return { planId, ...(name && { name }), tier, price: toDollars(priceInCents), description, features, highlight }
}

export const getPaymentSettings = endpoint(calls.getPaymentSettings, async ({ payments }) => ({
  mode: payments.mode,
  ...(await payments.cardFormSettings()),
}))
