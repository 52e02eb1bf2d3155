import { createSetupIntent, updatePaymentMethod } from '@alcove/contract/billing'
import { send, sentenceOf } from '../../../api/api.ts'
import { useAction } from '../../../api/use-call.ts'
import { notifySuccess } from '../../../ui/toasts/notify.tsx'
import { useRefreshPlan } from '../queries.ts'

/** Confirms a card at the provider with the secret of a setup intent. Returns the id of the new payment method. */
export type ConfirmCard = (clientSecret: string) => Promise<string>

/** The card provider refused the card. The message is the provider's own, or empty. */
export class CardRefused extends Error {
  override readonly name = 'CardRefused'
}

/** Returns the function that makes a new card the one that is charged. The card goes from the browser to the provider only. */
export function useUpdateCard(onUpdated: () => void) {
  const refreshPlan = useRefreshPlan()
  const { mutate, isPending, error } = useAction(async (confirmCard: ConfirmCard) => {
    const { client_secret } = await send(createSetupIntent, {})
    const paymentMethod = await confirmCard(client_secret)
    await send(updatePaymentMethod, { payment_method: paymentMethod })
    notifySuccess('Card updated successfully.')
    void refreshPlan()
    onUpdated()
  })
  return { update: mutate, isBusy: isPending, failure: error ? describeCardFailure(error) : undefined }
}

/** Returns the message for a card that couldn't be updated (specification, section 8). */
function describeCardFailure(error: Error): string {
  if (error instanceof CardRefused) return error.message || 'Card update failed.'
  return sentenceOf(error) ?? 'Failed to update card.'
}
