import '../../../lib/testing/browser-globals.ts'
import { expect, test } from 'vitest'
import { ApiError } from '../../../api/api.ts'
import { createIdempotencyKeys, describePurchaseFailure, findPaymentPage, isErrorResponse } from './buy-plan.ts'

function countingKeys() {
  let count = 0
  return createIdempotencyKeys(() => `key ${++count}`)
}

test('repeats the idempotency key of a purchase that had no response', () => {
  const keys = countingKeys()
  expect(keys.keyFor(7, 'mara')).toBe('key 1')
  expect(keys.keyFor(7, 'mara')).toBe('key 1')
})

test('has a new idempotency key for the same plan after a response', () => {
  const keys = countingKeys()
  keys.keyFor(7, 'mara')
  keys.end()
  expect(keys.keyFor(7, 'mara')).toBe('key 2')
})

test('has an idempotency key of its own for another plan and another user', () => {
  const keys = countingKeys()
  keys.keyFor(7, 'mara')
  expect(keys.keyFor(8, 'mara')).toBe('key 2')
  expect(keys.keyFor(8, 'noor')).toBe('key 3')
})

const base = 'http://localhost:5100/subscriptions'

test('accepts a web page as the payment page, also one of this site', () => {
  expect(findPaymentPage('https://checkout.stripe.com/c/pay/1', base)).toBe('https://checkout.stripe.com/c/pay/1')
  expect(findPaymentPage('/account?checkout=success', base)).toBe('http://localhost:5100/account?checkout=success')
})

test('rejects any other payment page', () => {
  expect(findPaymentPage('javascript:alert(1)', base)).toBeUndefined()
  expect(findPaymentPage('data:text/html,x', base)).toBeUndefined()
  expect(findPaymentPage('https://', base)).toBeUndefined()
  expect(findPaymentPage(undefined, base)).toBeUndefined()
  expect(findPaymentPage(null, base)).toBeUndefined()
})

const FAILED = 'An error occurred while creating your checkout session.'
const response = (status: number, code: 'payment_failed' | 'internal' | 'payments_unavailable', error: string) =>
  new ApiError(status, { code, error, message: error })

test('shows the message of the server for a refusal', () => {
  const declined = response(402, 'payment_failed', 'Your card was declined.')
  expect(describePurchaseFailure(declined)).toBe('Your card was declined.')
  expect(isErrorResponse(declined)).toBe(true)
})

test('shows why payments are unavailable', () => {
  const error = response(503, 'payments_unavailable', 'Payments are not configured.')
  expect(describePurchaseFailure(error)).toBe(`${FAILED} Payments are not configured.`)
})

test('shows no detail of a server or network error, which is no refusal', () => {
  for (const error of [response(500, 'internal', 'Oh'), new ApiError(502), new TypeError('Failed to fetch')]) {
    expect(describePurchaseFailure(error)).toBe(FAILED)
    expect(isErrorResponse(error)).toBe(false)
  }
})
