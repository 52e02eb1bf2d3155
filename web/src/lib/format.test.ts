import { DEFAULT_ALLOCATION, GIGABYTE, KIBIBYTE, MEBIBYTE } from '@alcove/contract/limits'
import { expect, test } from 'vitest'
import {
  formatDate,
  formatDay,
  formatSize,
  formatStorage,
  formatTimeLeft,
  formatTimeLeftInWords,
  formatUsage,
  plural,
} from './format.ts'

test('sizes below 100 have one decimal from a megabyte on, and none below', () => {
  expect(formatSize(0)).toBe('0 B')
  expect(formatSize(900)).toBe('900 B')
  expect(formatSize(86 * KIBIBYTE)).toBe('86 KB')
  expect(formatSize(6.2 * MEBIBYTE)).toBe('6.2 MB')
  expect(formatSize(248 * MEBIBYTE)).toBe('248 MB')
  expect(formatSize(1.4 * GIGABYTE)).toBe('1.4 GB')
})

test('sizes never show 1024 of a unit', () => {
  expect(formatSize(MEBIBYTE - 1)).toBe('1 MB')
  expect(formatSize(GIGABYTE - 1)).toBe('1 GB')
})

test('storage has two decimals', () => {
  expect(formatStorage(412.6 * GIGABYTE)).toBe('412.60 GB')
  expect(formatStorage(2048 * GIGABYTE)).toBe('2.00 TB')
  expect(formatStorage(DEFAULT_ALLOCATION)).toBe('10.00 GB')
  expect(formatStorage(0)).toBe('0.00 GB')
  expect(formatStorage(12)).toBe('12 B')
})

test('usage has two decimals and stops at 100', () => {
  expect(formatUsage(412.6 * GIGABYTE, 2048 * GIGABYTE)).toBe('20.15%')
  expect(formatUsage(11 * GIGABYTE, DEFAULT_ALLOCATION)).toBe('100.00%')
  expect(formatUsage(0, 0)).toBe('0.00%')
})

test('formats the time left short for rows and in words for the heading', () => {
  expect(formatTimeLeft(42)).toBe('42 s left')
  expect(formatTimeLeft(125)).toBe('2 min left')
  expect(formatTimeLeftInWords(20)).toBe('less than a minute left')
  expect(formatTimeLeftInWords(60)).toBe('about 1 minute left')
  expect(formatTimeLeftInWords(3599)).toBe('about 1 hour left')
})

test('a date in another year includes the year', () => {
  const now = new Date('2026-11-21T12:00:00Z')
  expect(formatDay('2026-05-02T12:00:00Z', now)).not.toContain('2026')
  expect(formatDay('2024-05-02T12:00:00Z', now)).toContain('2024')
})

test('formatDate writes the month out', () => {
  expect(formatDate('2027-03-14T12:00:00Z')).toMatch(/14.*March.*2027|March.*14.*2027/)
})

test('plural keeps the singular for one', () => {
  expect([plural(1, 'file'), plural(0, 'file'), plural(2, 'file')]).toEqual(['1 file', '0 files', '2 files'])
})
