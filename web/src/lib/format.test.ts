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

test('formatSize shows one decimal only below 100 and from a megabyte on', () => {
  expect(formatSize(0)).toBe('0 B')
  expect(formatSize(900)).toBe('900 B')
  expect(formatSize(86 * KIBIBYTE)).toBe('86 KB')
  expect(formatSize(6.2 * MEBIBYTE)).toBe('6.2 MB')
  expect(formatSize(248 * MEBIBYTE)).toBe('248 MB')
  expect(formatSize(1.4 * GIGABYTE)).toBe('1.4 GB')
})

test('formatSize never shows 1024 of a unit', () => {
  expect(formatSize(MEBIBYTE - 1)).toBe('1 MB')
  expect(formatSize(GIGABYTE - 1)).toBe('1 GB')
})

test('formatStorage shows two decimals', () => {
  expect(formatStorage(412.6 * GIGABYTE)).toBe('412.60 GB')
  expect(formatStorage(2048 * GIGABYTE)).toBe('2.00 TB')
  expect(formatStorage(DEFAULT_ALLOCATION)).toBe('10.00 GB')
  expect(formatStorage(0)).toBe('0.00 GB')
  expect(formatStorage(12)).toBe('12 B')
})

test('formatUsage shows a percentage with two decimals and at most 100 %', () => {
  expect(formatUsage(412.6 * GIGABYTE, 2048 * GIGABYTE)).toBe('20.15%')
  expect(formatUsage(11 * GIGABYTE, DEFAULT_ALLOCATION)).toBe('100.00%')
  expect(formatUsage(0, 0)).toBe('0.00%')
})

test('formats the remaining time briefly for rows and in words for the heading', () => {
  expect(formatTimeLeft(42)).toBe('42 s left')
  expect(formatTimeLeft(125)).toBe('2 min left')
  expect(formatTimeLeftInWords(20)).toBe('less than a minute left')
  expect(formatTimeLeftInWords(60)).toBe('about 1 minute left')
  expect(formatTimeLeftInWords(3599)).toBe('about 1 hour left')
})

test('formatDay includes the year only if it is not the current year', () => {
  const now = new Date('2026-11-21T12:00:00Z')
  expect(formatDay('2026-05-02T12:00:00Z', now)).not.toContain('2026')
  expect(formatDay('2024-05-02T12:00:00Z', now)).toContain('2024')
})

test('formatDate shows the full month name and the year', () => {
  expect(formatDate('2027-03-14T12:00:00Z')).toMatch(/14.*March.*2027|March.*14.*2027/)
})

test('plural uses the singular only for one', () => {
  expect([plural(1, 'file'), plural(0, 'file'), plural(2, 'file')]).toEqual(['1 file', '0 files', '2 files'])
})
