import { plans } from '@alcove/contract/plans'
import { syncPlans } from '../modules/billing/index.ts'
import { type Command, CommandError } from './command.ts'

export const stripeSyncPlans: Command = {
  name: 'stripe sync-plans',
  parameters: [],
  summary: 'Make at Stripe the products and prices of the catalogue that are missing there',
  async run({ services: { payments }, print }) {
    if (payments.mode !== 'live') {
      throw new CommandError('STRIPE_SECRET_KEY is not set. The sandbox makes its prices by itself.')
    }
    const made = await payments.ask(syncPlans)
    print(`Stripe has the ${plans.length} plans of the catalogue. New prices: ${made}.`)
  },
}
