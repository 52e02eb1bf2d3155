import { expect, it } from 'vitest'
import { describeDuration, formatTime } from './format.ts'

it('formats times like Date.toISOString', () => {
  const times = [
    0,
    1,
    59_999,
    86_399_999,
    86_400_000,
    Date.UTC(2024, 1, 29, 23, 59, 59, 999),
    Date.UTC(1969, 11, 31, 1),
    Date.UTC(9999, 11, 31, 23, 59, 59, 999),
  ]
  for (let time = Date.UTC(2026, 0, 1); time < Date.UTC(2027, 0, 1); time += 12_345_678) times.push(time)
  for (const time of [...times, ...times.reverse()]) expect(formatTime(time)).toBe(new Date(time).toISOString())
})

it.each([
  [2_592_000_000, '30 days'],
  [86_400_000, '1 day'],
  [129_600_000, '36 hours'],
  [3_600_000, '1 hour'],
  [5_400_000, '90 minutes'],
  [2000, '2 seconds'],
])('formats %i milliseconds as %s', (milliseconds, text) => {
  expect(describeDuration(milliseconds)).toBe(text)
})
