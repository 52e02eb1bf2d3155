import { expect, test } from 'vitest'
import { findPaymentPage } from './payment-page.ts'

const base = 'http://localhost:5100/subscriptions'

test('a web page can be gone to, also one of ours', () => {
  expect(findPaymentPage('https://checkout.stripe.com/c/pay/1', base)).toBe('https://checkout.stripe.com/c/pay/1')
  expect(findPaymentPage('/account?checkout=success', base)).toBe('http://localhost:5100/account?checkout=success')
})

test('anything else cannot', () => {
  expect(findPaymentPage('javascript:alert(1)', base)).toBeUndefined()
  expect(findPaymentPage('data:text/html,x', base)).toBeUndefined()
  expect(findPaymentPage('https://', base)).toBeUndefined()
  expect(findPaymentPage(undefined, base)).toBeUndefined()
  expect(findPaymentPage(null, base)).toBeUndefined()
})
