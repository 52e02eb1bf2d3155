import { createSetupIntent, updatePaymentMethod } from '@alcove/contract/billing'
import { send } from '../../../api/api.ts'
import { sentenceOf } from '../../../api/sentence-of.ts'

/** The card provider did not take the card; the message is its own sentence, where it gave one. */
export class CardRefused extends Error {
  override readonly name = 'CardRefused'
}

/** Hands a card to the provider by the secret of a setup intent, and gives the id of the payment method it became. */
export type ConfirmCard = (clientSecret: string) => Promise<string>

/** Makes a new card the one that is charged. The card itself goes from the browser to the provider, never through us. */
export async function updateCard(confirmCard: ConfirmCard): Promise<void> {
  const { client_secret } = await send(createSetupIntent, {})
  const paymentMethod = await confirmCard(client_secret)
  await send(updatePaymentMethod, { payment_method: paymentMethod })
}

/** What is said when a card could not be updated (specification, section 8). */
export function describeCardFailure(error: unknown): string {
  if (error instanceof CardRefused) return error.message || 'Card update failed.'
  return sentenceOf(error) ?? 'Failed to update card.'
}
