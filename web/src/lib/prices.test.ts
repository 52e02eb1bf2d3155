import { expect, test } from 'vitest'
import { formatPrice, formatTotal, suffixOf } from './prices.ts'

test('formats a price with two decimals, and a missing one with dashes', () => {
  expect(formatPrice(19.99)).toBe('$19.99')
  expect(formatPrice(99)).toBe('$99.00')
  expect(formatPrice(0)).toBe('$0.00')
  expect(formatPrice(null)).toBe('$--.--')
})

test('has a suffix for each billing period', () => {
  expect((['Monthly', 'Annually', 'Lifetime'] as const).map(suffixOf)).toEqual([' /mth', ' /yr', ' USD'])
})

test('formats a total with its currency', () => {
  expect(formatTotal(61.4, 'usd')).toBe('$61.40 USD')
  expect(formatTotal(-12, 'usd')).toBe('-$12.00 USD')
  expect(formatTotal(1999, 'usd')).toBe('$1,999.00 USD')
  expect(formatTotal(9.9, 'eur')).toBe('€9.90 EUR')
})

test('shows an unknown currency as it is', () => {
  expect(formatTotal(5, '')).toBe('5.00')
  expect(formatTotal(5, 'points')).toBe('5.00 POINTS')
})
