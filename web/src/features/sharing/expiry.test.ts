import { expect, it } from 'vitest'
import { endOfDay, toDay } from './expiry.ts'

it('a day ends just before the next one begins, in the time of whoever chose it', () => {
  const end = endOfDay('2026-11-30') as Date
  expect(toDay(end)).toBe('2026-11-30')
  expect(toDay(new Date(end.getTime() + 1))).toBe('2026-12-01')
})

it.each(['', '2026-02-30', '2026-13-01', '30.11.2026', '0026-11-30', '2026-11-3'])('%j is no day', (text) => {
  expect(endOfDay(text)).toBeUndefined()
})
