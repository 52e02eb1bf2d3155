import { readCatalogue, syncPlans } from '../modules/billing/index.ts'
import { type Command, CommandError } from './command.ts'
import { showPhase } from './progress.ts'

export const stripeSyncPlans: Command = {
  name: 'stripe sync-plans',
  parameters: [],
  summary: 'Create the products and prices at Stripe that the plans for sale lack',
  async run({ services, print, status }) {
    const { payments } = services
    if (payments.mode !== 'live') {
      throw new CommandError('STRIPE_SECRET_KEY is not set. The sandbox creates its prices by itself.')
    }
    showPhase({ status }, 'Comparing the plans with those of Stripe')
    const { onSale } = await readCatalogue(services)
    const made = await payments.ask((stripe) => syncPlans(stripe, onSale))
    print(`Stripe has all ${onSale.length} plans for sale. New prices: ${made}.`)
  },
}
