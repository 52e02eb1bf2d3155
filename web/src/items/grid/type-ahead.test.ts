import type { Item } from '@alcove/contract/items'
import { expect, test } from 'vitest'
import { findInList, findTyped, isLetter } from './type-ahead.ts'

const items = ['Alfama', 'Bairro', 'Belém', 'Étage', 'été 2', 'b.txt'].map((name) => ({ name }) as Item)

test('finds the next name that starts with the typed letters and wraps around at the end', () => {
  expect(findTyped(items, 'b', 0)).toBe(1)
  expect(findTyped(items, 'b', 1)).toBe(2)
  expect(findTyped(items, 'b', 5)).toBe(1)
  expect(findTyped(items, 'bb', 1)).toBe(2)
  expect(findTyped(items, 'x', 0)).toBe(-1)
  expect(findTyped([], 'a', 0)).toBe(-1)
})

test('searches only the loaded batch around the position in an incomplete list', () => {
  const list = { items: items.slice(0, 2), total: 50, nextCursor: 'x', ahead: [{ start: 20, items }] }
  expect(findInList(list, 'b', 0)).toBe(1)
  expect(findInList(list, 'b', 20)).toBe(21)
  expect(findInList(list, 'be', 22)).toBe(22)
  // The items behind the batch have not loaded, and one of them may match.
  expect(findInList(list, 'b', 25)).toBe(-1)
  expect(findInList(list, 'a', 21)).toBe(-1)
  expect(findInList(list, 'a', 10)).toBe(-1)
})

test('stays at the current item while further letters match its name', () => {
  expect(findTyped(items, 'be', 2)).toBe(2)
  expect(findTyped(items, 'bel', 1)).toBe(2)
})

test('ignores case and accents in names and typed letters', () => {
  expect(findTyped(items, 'E', 0)).toBe(3)
  expect(findTyped(items, 'ete', 0)).toBe(4)
  expect(findTyped(items, 'été', 0)).toBe(4)
})

test('isLetter accepts characters but not the space key or named keys', () => {
  expect(['a', 'É', '7', '.'].map(isLetter)).toEqual([true, true, true, true])
  expect(['Enter', 'F2', ' ', 'Shift'].map(isLetter)).toEqual([false, false, false, false])
})
