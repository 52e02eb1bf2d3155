import '../../lib/testing/browser-globals.ts'
import { expect, test } from 'vitest'
import { ApiError } from '../../lib/api.ts'
import { describePurchaseFailure, isRefusal } from './purchase-failure.ts'

const FAILED = 'An error occurred while creating your checkout session.'
const answer = (status: number, code: 'payment_failed' | 'internal' | 'payments_unavailable', error: string) =>
  new ApiError(status, { code, error, message: error })

test('a refusal is told in the words of the server', () => {
  const declined = answer(402, 'payment_failed', 'Your card was declined.')
  expect(describePurchaseFailure(declined)).toBe('Your card was declined.')
  expect(isRefusal(declined)).toBe(true)
})

test('payments that are not to be had are told with their reason', () => {
  const error = answer(503, 'payments_unavailable', 'Payments are not configured.')
  expect(describePurchaseFailure(error)).toBe(`${FAILED} Payments are not configured.`)
})

test('a server or a network that broke is no refusal, and is told without detail', () => {
  for (const error of [answer(500, 'internal', 'Oh'), new ApiError(502), new TypeError('Failed to fetch')]) {
    expect(describePurchaseFailure(error)).toBe(FAILED)
    expect(isRefusal(error)).toBe(false)
  }
})
