import type { World } from '../world.ts'
import { settleInvoice } from './settle-invoice.ts'

/** The card is tried again. */
export function retryPayment(world: World, id: string): void {
  const invoice = world.store.find('invoice', id)
  if (invoice?.body.status !== 'open') return
  settleInvoice(world, invoice, { isRenewal: true, isRetried: true })
}
