import { plans } from '@alcove/contract/plans'
import { syncPlans } from '../modules/billing/index.ts'
import { type Command, CommandError } from './command.ts'
import { showPhase } from './progress.ts'

export const stripeSyncPlans: Command = {
  name: 'stripe sync-plans',
  parameters: [],
  summary: "Create the catalogue's missing products and prices at Stripe",
  async run({ services: { payments }, print, status }) {
    if (payments.mode !== 'live') {
      throw new CommandError('STRIPE_SECRET_KEY is not set. The sandbox creates its prices by itself.')
    }
    showPhase({ status }, 'Comparing the plans with those of Stripe')
    const made = await payments.ask(syncPlans)
    print(`Stripe has all ${plans.length} plans of the catalogue. New prices: ${made}.`)
  },
}
