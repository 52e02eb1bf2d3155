import type { Item } from '@alcove/contract/items'
import { describe, expect, test } from 'vitest'
import { nextItem } from './grid-keys.ts'
import { boxOf, columnsFor, firstMissing, layOut, rangesIn, rowAt, rowAtHeight, rowOfItem } from './layout.ts'

const heights = { heading: 30, folders: 76, files: 214, list: 48 }
// d0 d1 d2 d3 / d4 / f5 … f9 / f10 f11 f12
const grid = layOut('grid', 13, 5, 1136, heights)
const list = layOut('list', 13, 5, 1136, heights)
const next = (from: number, key: string, isControl = false) => nextItem(grid, from, key, isControl, 500)

describe('the rows of a layout', () => {
  test('puts folders before files, each group below its heading', () => {
    const rows = Array.from({ length: grid.rowCount }, (_, row) => rowAt(grid, row))
    expect(rows.map(({ heading, start, end }) => heading ?? [start, end])).toEqual([
      'Folders',
      [0, 4],
      [4, 5],
      'Files',
      [5, 10],
      [10, 13],
    ])
    expect(rows.map(({ top }) => top)).toEqual([0, 30, 106, 182, 212, 426])
    expect(grid.height).toBe(640)
  })

  test('omits the heading of a group without items', () => {
    expect(rowAt(layOut('grid', 8, 0, 1136, heights), 0).heading).toBe('Files')
    expect(layOut('grid', 0, 0, 1136, heights)).toMatchObject({ rowCount: 0, height: 0 })
    expect(rowOfItem(layOut('grid', 0, 0, 1136, heights), 0)).toBe(-1)
  })

  test('finds the row of an item and the row at a height', () => {
    expect([0, 4, 5, 9, 10, 12].map((index) => rowOfItem(grid, index))).toEqual([1, 2, 4, 4, 5, 5])
    expect([-50, 0, 29, 30, 105, 106, 181, 182, 212, 425, 426, 9999].map((y) => rowAtHeight(grid, y))).toEqual([
      0, 0, 0, 1, 1, 2, 2, 3, 4, 4, 5, 5,
    ])
    expect(rowAtHeight(list, 96)).toBe(2)
  })
})

test('columnsFor returns more columns for a wider grid', () => {
  expect(columnsFor(328)).toEqual({ folders: 2, files: 2 })
  expect(columnsFor(700)).toEqual({ folders: 3, files: 3 })
  expect(columnsFor(1136)).toEqual({ folders: 4, files: 5 })
  expect(columnsFor(3000).files).toBe(7)
})

describe('nextItem', () => {
  test('moves left and right through all items', () => {
    expect(next(3, 'ArrowRight')).toBe(4)
    expect(next(4, 'ArrowRight')).toBe(5)
    expect(next(5, 'ArrowLeft')).toBe(4)
    expect(next(0, 'ArrowLeft')).toBe(0)
    expect(next(12, 'ArrowRight')).toBe(12)
  })

  test('stays in the column on ArrowUp and ArrowDown', () => {
    expect(next(6, 'ArrowDown')).toBe(11)
    expect(next(11, 'ArrowUp')).toBe(6)
    expect(next(2, 'ArrowDown')).toBe(4)
    expect(next(4, 'ArrowDown')).toBe(5)
    expect(next(9, 'ArrowDown')).toBe(12)
    expect(next(0, 'ArrowUp')).toBe(0)
  })

  test('moves to the ends of the row on Home and End, or of the list with Ctrl', () => {
    expect(next(8, 'Home')).toBe(5)
    expect(next(8, 'End')).toBe(9)
    expect(next(8, 'Home', true)).toBe(0)
    expect(next(1, 'End', true)).toBe(12)
    expect(nextItem(list, 5, 'End', false, 500)).toBe(12)
  })

  test('moves by the number of rows in view on PageUp and PageDown', () => {
    expect(next(5, 'PageDown')).toBe(10)
    expect(nextItem(list, 1, 'PageDown', false, 500)).toBe(11)
    expect(nextItem(list, 11, 'PageUp', false, 500)).toBe(1)
  })

  test('returns undefined for other keys and in an empty grid', () => {
    expect(next(0, 'x')).toBeUndefined()
    expect(nextItem(layOut('grid', 0, 0, 1136, heights), 0, 'ArrowDown', false, 500)).toBeUndefined()
  })
})

describe('rangesIn', () => {
  const touched = (left: number, top: number, width: number, height: number) =>
    [...rangesIn(grid, { left, top, width, height })].flatMap(([start, end]) =>
      Array.from({ length: end - start }, (_, place) => start + place),
    )

  test('returns all tiles that a frame touches', () => {
    expect(touched(0, 0, 2000, 2000)).toEqual(Array.from({ length: 13 }, (_, index) => index))
    const { left, top, width, height } = boxOf(grid, 6)
    expect(touched(left + 2, top + 2, 4, 4)).toEqual([6])
    expect(touched(left + 2, top + 2, width + 40, height + 40)).toEqual([6, 7, 11, 12])
  })

  test('returns no tiles for a frame in the gaps between them', () => {
    const { left, top, width } = boxOf(grid, 5)
    expect(touched(left + width + 2, top + 2, 6, 6)).toEqual([])
    expect(touched(0, 5, 2000, 10)).toEqual([])
  })
})

test('computes the layout of a hundred thousand items', () => {
  const large = layOut('list', 100_000, 0, 1136, heights)
  expect(large.height).toBe(4_800_000)
  expect(rowAtHeight(large, 2_400_000)).toBe(50_000)
  expect(nextItem(large, 50_000, 'End', true, 500)).toBe(99_999)
})

const filesOf = (count: number) => Array.from({ length: count }, (_one, index) => ({ id: `${index}` }) as Item)
const longLayout = layOut('list', 1000, 0, 800, { heading: 40, folders: 60, files: 200, list: 50 })
const partOfList = { items: filesOf(100), total: 1000, nextCursor: 'x' }

describe('firstMissing', () => {
  test('returns the first index in view whose item has not loaded', () => {
    expect(firstMissing(partOfList, longLayout, [95, 96, 97, 98, 99])).toBeUndefined()
    expect(firstMissing(partOfList, longLayout, [98, 99, 100, 101])).toBe(100)
    expect(firstMissing(partOfList, longLayout, [500, 501, 502])).toBe(500)
    const looked = { ...partOfList, ahead: [{ start: 500, items: filesOf(2) }] }
    expect(firstMissing(looked, longLayout, [500, 501, 502])).toBe(502)
    expect(firstMissing(partOfList, longLayout, [])).toBeUndefined()
  })

  test('ignores the row of the active item when it is out of view', () => {
    expect(firstMissing(partOfList, longLayout, [10, 11, 12, 900])).toBeUndefined()
    expect(firstMissing(partOfList, longLayout, [300, 500, 501, 502])).toBe(500)
  })

  test('returns undefined for a complete list', () => {
    expect(firstMissing({ ...partOfList, nextCursor: null }, longLayout, [500, 501])).toBeUndefined()
  })
})
