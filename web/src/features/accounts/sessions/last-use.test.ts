import { expect, test } from 'vitest'
import { describeLastUse, isHandheld } from './last-use.ts'

const now = new Date('2026-11-22T12:00:00Z')

test.each([
  ['2026-11-22T11:59:00Z', 'In the last hour'],
  // The clock of the browser is a little slow.
  ['2026-11-22T12:00:05Z', 'In the last hour'],
  ['2026-11-22T11:00:00Z', '1 hour ago'],
  ['2026-11-22T09:00:00Z', '3 hours ago'],
  ['2026-11-21T12:00:01Z', '23 hours ago'],
  ['2026-11-21T12:00:00Z', '1 day ago'],
  ['2026-11-10T12:00:00Z', '12 days ago'],
  ['2026-05-02T12:00:00Z', 'On 2 May'],
  ['2025-05-02T12:00:00Z', 'On 2 May 2025'],
])('a session used at %s was used %s', (time, words) => {
  // The locale decides the order of day and month.
  const swapped = words.replace('2 May 2025', 'May 2, 2025').replace(/2 May$/, 'May 2')
  expect([words, swapped]).toContain(describeLastUse(time, now))
})

test('tells phones and tablets from computers', () => {
  expect(['Safari on iPhone', 'Chrome on Android', 'Safari on iPad'].every(isHandheld)).toBe(true)
  expect(['Chrome on Windows', 'Firefox on Linux', 'Safari on macOS', 'Unknown browser'].some(isHandheld)).toBe(false)
})
