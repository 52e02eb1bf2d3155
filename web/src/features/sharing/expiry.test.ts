import { expect, it } from 'vitest'
import { endOfDay, toDay } from './expiry.ts'

it('ends a day just before the next one begins, in local time', () => {
  const end = endOfDay('2026-11-30') as Date
  expect(toDay(end)).toBe('2026-11-30')
  expect(toDay(new Date(end.getTime() + 1))).toBe('2026-12-01')
})

it.each(['', '2026-02-30', '2026-13-01', '30.11.2026', '0026-11-30', '2026-11-3'])(
  'rejects %j, which is not a day',
  (text) => {
    expect(endOfDay(text)).toBeUndefined()
  },
)
