import { expect, test } from 'vitest'
import { describeCheckout, readCheckoutReturn, withoutCheckoutReturn } from './checkout-return.ts'

const read = (query: string) => readCheckoutReturn(new URLSearchParams(query))

test('reads the checkout session of a purchase, which a change of plan has not', () => {
  expect(read('checkout=cs_1')).toEqual({ isCanceled: false, sessionId: 'cs_1' })
  expect(read('checkout=changed')).toEqual({ isCanceled: false, sessionId: undefined })
})

test('recognizes a cancelled checkout, and an address without one', () => {
  expect(read('checkout=canceled')).toEqual({ isCanceled: true })
  expect(read('checkout=')).toBeUndefined()
  expect(read('redirect=payment')).toBeUndefined()
})

test('removes the checkout from the address, and nothing else', () => {
  expect(withoutCheckoutReturn(new URLSearchParams('a=1&checkout=cs_1')).toString()).toBe('a=1')
})

test('reports a plan as bought only once it is paid', () => {
  const complete = { status: 'complete', planId: 7, planName: '2 TB Annually' } as const
  expect(describeCheckout(complete)).toBe('You are now on 2 TB Annually.')
  expect(describeCheckout({ ...complete, planId: 0, planName: 'free' })).toBe('The payment is not complete yet.')
  expect(describeCheckout({ ...complete, status: 'open' })).toBe('The payment is not complete yet.')
  expect(describeCheckout({ ...complete, status: 'expired' })).toContain('Nothing was charged.')
})
