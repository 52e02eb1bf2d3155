import type { Activity } from '@alcove/contract/activity'
import { expect, test } from 'vitest'
import { groupByDay } from './days.ts'

const at = (...time: [number, number, number, number]) => ({ lastAt: new Date(...time).toISOString() }) as Activity

test('entries are grouped by the day of their last change, with names for today and yesterday', () => {
  const entries = [at(2026, 2, 30, 9), at(2026, 2, 30, 0), at(2026, 2, 29, 23), at(2026, 2, 28, 23), at(2025, 2, 30, 9)]
  const days = groupByDay(entries, new Date(2026, 2, 30, 10))
  expect(days.map(({ label, entries }) => [label, entries.length])).toEqual([
    ['Today', 2],
    ['Yesterday', 1],
    [expect.stringContaining('2026'), 1],
    [expect.stringContaining('2025'), 1],
  ])
})
