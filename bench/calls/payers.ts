import { GOOD_CARD, type TestPayments } from '@alcove/server/testing/payments'
import type { TestApp } from '@alcove/server/testing/test-app'

const BOUGHT = 2

/** Who pays in one turn: one who has yet to buy, and one who has a subscription, and another card at the card provider. */
export interface Payers {
  buyer: string
  subscriber: string
  card: string
}

export async function createPayers(app: TestApp, payments: TestPayments): Promise<Payers> {
  const subscriber = await app.createUser()
  await payments.buy(subscriber, BOUGHT)
  const card = await payments.newCard(await payments.customerOf(subscriber), GOOD_CARD)
  return { buyer: (await app.createUser()).token, subscriber: subscriber.token, card }
}
