import type { Item } from '@alcove/contract/items'
import { expect, test } from 'vitest'
import { firstMissing } from './first-missing.ts'
import { layOut } from './layout.ts'

const files = (count: number) => Array.from({ length: count }, (_one, index) => ({ id: `${index}` }) as Item)
const layout = layOut('list', 1000, 0, 800, { heading: 40, folders: 60, files: 200, list: 50 })
const list = { items: files(100), total: 1000, nextCursor: 'x' }

test('is the first one in view of which nothing is known', () => {
  expect(firstMissing(list, layout, [95, 96, 97, 98, 99])).toBeUndefined()
  expect(firstMissing(list, layout, [98, 99, 100, 101])).toBe(100)
  expect(firstMissing(list, layout, [500, 501, 502])).toBe(500)
  const looked = { ...list, ahead: [{ start: 500, items: files(2) }] }
  expect(firstMissing(looked, layout, [500, 501, 502])).toBe(502)
  expect(firstMissing(list, layout, [])).toBeUndefined()
})

test('is not the active item, whose row is in the document wherever it is', () => {
  expect(firstMissing(list, layout, [10, 11, 12, 900])).toBeUndefined()
  expect(firstMissing(list, layout, [300, 500, 501, 502])).toBe(500)
})

test('is none in a list that is complete', () => {
  expect(firstMissing({ ...list, nextCursor: null }, layout, [500, 501])).toBeUndefined()
})
