import { expect, test } from 'vitest'
import { createPurchaseAttempts } from './purchase-attempts.ts'

function countingAttempts() {
  let count = 0
  return createPurchaseAttempts(() => `attempt ${++count}`)
}

test('a decision that was not answered is sent again as the same one', () => {
  const attempts = countingAttempts()
  expect(attempts.idFor(7, 'mara')).toBe('attempt 1')
  expect(attempts.idFor(7, 'mara')).toBe('attempt 1')
})

test('once it was answered, the same plan is a new decision', () => {
  const attempts = countingAttempts()
  attempts.idFor(7, 'mara')
  attempts.end()
  expect(attempts.idFor(7, 'mara')).toBe('attempt 2')
})

test('another plan, and another user, are another decision', () => {
  const attempts = countingAttempts()
  attempts.idFor(7, 'mara')
  expect(attempts.idFor(8, 'mara')).toBe('attempt 2')
  expect(attempts.idFor(8, 'noor')).toBe('attempt 3')
})
