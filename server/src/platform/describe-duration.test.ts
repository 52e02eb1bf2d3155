import { expect, it } from 'vitest'
import { describeDuration } from './describe-duration.ts'

it.each([
  [2_592_000_000, '30 days'],
  [86_400_000, '1 day'],
  [129_600_000, '36 hours'],
  [3_600_000, '1 hour'],
  [5_400_000, '90 minutes'],
  [2000, '2 seconds'],
])('%i milliseconds are %s', (milliseconds, text) => {
  expect(describeDuration(milliseconds)).toBe(text)
})
