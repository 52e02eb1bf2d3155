import { cancelNow } from '../billing/cancel-now.ts'
import { emit } from '../events/emit.ts'
import type { World } from '../world.ts'
import { getCustomer } from './customers.ts'

/** Deletes a customer; subscriptions end at once, and nothing is charged any more. */
export function deleteCustomer(world: World, id: string): object {
  const { store } = world
  const { body, hidden } = getCustomer(world, id)
  for (const subscription of store.list('subscription', { customer: id })) {
    if (!isEnded(subscription.body.status)) cancelNow(world, subscription, 'cancellation_requested')
  }
  for (const card of store.list('payment_method', { customer: id })) {
    card.body.customer = null
    store.keep(card.body, card.hidden, { customer: null })
  }
  const deleted = { id, object: 'customer', deleted: true }
  store.run('update objects set body = ?, hidden = ? where id = ?', JSON.stringify(deleted), JSON.stringify(hidden), id)
  emit(world, 'customer.deleted', body)
  return deleted
}

function isEnded(status: string): boolean {
  return status === 'canceled' || status === 'incomplete_expired'
}
