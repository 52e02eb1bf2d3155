import type { Invoice } from '../stripe-objects.ts'

export function subscriptionIdOf({ parent }: Invoice): string | undefined {
  return parent?.subscription_details?.subscription as string | undefined
}
