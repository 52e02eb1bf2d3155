import type { getPaymentSettings as call } from '@alcove/contract/billing'
import type { Operation } from '../../platform/http/api.ts'

export const getPaymentSettings: Operation<typeof call> = async ({ payments }) => ({
  mode: payments.mode,
  ...(await payments.cardFormSettings()),
})
