import { describe, expect, it } from 'vitest'
import { periodEnd, prorate } from './arithmetic.ts'

const at = (text: string) => Date.parse(text) / 1000
const day = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10)

describe('periodEnd', () => {
  it.each([
    ['2026-01-31', '2026-01-31', { interval: 'month', interval_count: 1 }, '2026-02-28'],
    ['2026-01-31', '2026-02-28', { interval: 'month', interval_count: 1 }, '2026-03-31'],
    ['2027-12-31', '2028-01-31', { interval: 'month', interval_count: 1 }, '2028-02-29'],
    ['2028-02-29', '2028-02-29', { interval: 'year', interval_count: 1 }, '2029-02-28'],
    ['2028-02-29', '2031-02-28', { interval: 'year', interval_count: 1 }, '2032-02-29'],
    ['2026-11-30', '2026-11-30', { interval: 'month', interval_count: 3 }, '2027-02-28'],
    ['2026-01-01', '2026-01-01', { interval: 'week', interval_count: 2 }, '2026-01-15'],
    ['2026-01-01', '2026-01-03', { interval: 'day', interval_count: 1 }, '2026-01-04'],
  ] as const)('with anchor %s, the period from %s with %j ends on %s', (anchor, start, interval, end) => {
    expect(day(periodEnd(at(anchor), at(start), interval))).toBe(end)
  })
})

describe('prorate', () => {
  const rest = (now: number) => ({ start: 0, end: 1000, now })

  it('returns whole cents and rounds half a cent up', () => {
    expect([0, 1, 499, 500, 501, 999, 1000].map((now) => prorate(999, rest(now)))).toEqual([
      999, 998, 500, 500, 499, 1, 0,
    ])
    expect(prorate(1, rest(500))).toBe(1)
  })

  it('returns 0 after the end and everything before the start, and is exact for large amounts', () => {
    expect([prorate(999, rest(2000)), prorate(999, rest(-5)), prorate(999, { start: 5, end: 5, now: 5 })]).toEqual([
      0, 999, 0,
    ])
    const year = 365 * 86_400
    expect(prorate(99_999_999, { start: 0, end: year, now: 1 })).toBe(99_999_996)
  })
})
