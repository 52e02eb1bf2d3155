import '../../../lib/testing/browser-globals.ts'
import { expect, test } from 'vitest'
import { ApiError } from '../../../api/api.ts'
import { describePurchaseFailure, isErrorResponse } from './purchase-failure.ts'

const FAILED = 'An error occurred while creating your checkout session.'
const response = (status: number, code: 'payment_failed' | 'internal' | 'payments_unavailable', error: string) =>
  new ApiError(status, { code, error, message: error })

test('a refusal is told in the words of the server', () => {
  const declined = response(402, 'payment_failed', 'Your card was declined.')
  expect(describePurchaseFailure(declined)).toBe('Your card was declined.')
  expect(isErrorResponse(declined)).toBe(true)
})

test('payments that are not to be had are told with their reason', () => {
  const error = response(503, 'payments_unavailable', 'Payments are not configured.')
  expect(describePurchaseFailure(error)).toBe(`${FAILED} Payments are not configured.`)
})

test('a server or a network that broke is no refusal, and is told without detail', () => {
  for (const error of [response(500, 'internal', 'Oh'), new ApiError(502), new TypeError('Failed to fetch')]) {
    expect(describePurchaseFailure(error)).toBe(FAILED)
    expect(isErrorResponse(error)).toBe(false)
  }
})
