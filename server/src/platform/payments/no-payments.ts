import type { Payments } from './payments.ts'
import { paymentsOff } from './stripe-refusals.ts'

/** A public server without keys: nothing can be bought. */
export const noPayments: Payments = {
  mode: 'off',
  realm: 'live',
  ask: () => Promise.reject(paymentsOff()),
  cardFormSettings: async () => ({}),
  readEvent: () => Promise.reject(paymentsOff()),
  close: async () => {},
}
