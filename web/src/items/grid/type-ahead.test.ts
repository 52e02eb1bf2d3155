import type { Item } from '@alcove/contract/items'
import { expect, test } from 'vitest'
import { findInList, findTyped, isLetter } from './type-ahead.ts'

const items = ['Alfama', 'Bairro', 'Belém', 'Étage', 'été 2', 'b.txt'].map((name) => ({ name }) as Item)

test('letters find the next name that starts with them, and continue at the beginning', () => {
  expect(findTyped(items, 'b', 0)).toBe(1)
  expect(findTyped(items, 'b', 1)).toBe(2)
  expect(findTyped(items, 'b', 5)).toBe(1)
  expect(findTyped(items, 'bb', 1)).toBe(2)
  expect(findTyped(items, 'x', 0)).toBe(-1)
  expect(findTyped([], 'a', 0)).toBe(-1)
})

test('far down a list that has not loaded, letters find the next name of the batch', () => {
  const list = { items: items.slice(0, 2), total: 50, nextCursor: 'x', ahead: [{ start: 20, items }] }
  expect(findInList(list, 'b', 0)).toBe(1)
  expect(findInList(list, 'b', 20)).toBe(21)
  expect(findInList(list, 'be', 22)).toBe(22)
  // Whether another one follows is not known yet.
  expect(findInList(list, 'b', 25)).toBe(-1)
  expect(findInList(list, 'a', 21)).toBe(-1)
  expect(findInList(list, 'a', 10)).toBe(-1)
})

test('more letters stay at the item as long as they match', () => {
  expect(findTyped(items, 'be', 2)).toBe(2)
  expect(findTyped(items, 'bel', 1)).toBe(2)
})

test('case and accents are ignored', () => {
  expect(findTyped(items, 'E', 0)).toBe(3)
  expect(findTyped(items, 'ete', 0)).toBe(4)
  expect(findTyped(items, 'été', 0)).toBe(4)
})

test('the names of keys are not letters', () => {
  expect(['a', 'É', '7', '.'].map(isLetter)).toEqual([true, true, true, true])
  expect(['Enter', 'F2', ' ', 'Shift'].map(isLetter)).toEqual([false, false, false, false])
})
