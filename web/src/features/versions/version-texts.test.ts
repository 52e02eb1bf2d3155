import { expect, test } from 'vitest'
import { describeReplacer, describeRetention, describeWhen } from './version-texts.ts'

const DAY = 86_400_000
const now = new Date(2026, 2, 1, 12)
const at = (...date: [number, number, number, number, number]) => new Date(...date).toISOString()

test('names today and yesterday by the calendar of the user, also across a month', () => {
  expect(describeWhen(at(2026, 2, 1, 0, 1), now)).toMatch(/^today at /)
  expect(describeWhen(at(2026, 1, 28, 23, 59), now)).toMatch(/^yesterday at /)
  expect(describeWhen(at(2026, 1, 27, 23, 59), now)).toMatch(/^on .*2026/)
  expect(describeWhen(at(2026, 2, 2, 0, 1), now)).toMatch(/^on /)
})

test('names the author and the device of a version as far as they are known, and the user as you', () => {
  expect(describeReplacer({ author: 'Ada', device: 'Chrome on Windows' })).toBe('Ada, Chrome on Windows')
  expect(describeReplacer({ author: '', device: 'Chrome on Windows' })).toBe('Chrome on Windows')
  expect(describeReplacer({ author: 'ada@example.com', device: '' }, 'ada@example.com')).toBe('you')
})

test('states the rule of retention, which ends with the retention that the operator has set', () => {
  expect(describeRetention(365 * DAY)).toBe(
    'Alcove keeps every version for 24 hours, then one an hour for a week, one a day for 90 days, and one a week for a year. Named versions are kept until you delete them.',
  )
  expect(describeRetention(730 * DAY)).toContain('and one a week for 730 days.')
  expect(describeRetention(30 * DAY)).toContain('then one an hour for a week, and one a day for 30 days.')
  expect(describeRetention(7 * DAY)).toContain('then one an hour for a week.')
  expect(describeRetention(DAY)).toContain('every version for 24 hours.')
  expect(describeRetention(60_000)).toContain('every version for 1 minute.')
  expect(describeRetention(0)).toMatch(/^Alcove keeps no earlier versions\./)
})
