import type { File, Folder } from '@alcove/contract/items'
import { describe, expect, test } from 'vitest'
import { findNextItem } from './grid-focus.ts'
import { columnsFor, layOutRows, rowOf } from './grid-rows.ts'

const folders = Array.from({ length: 5 }, (_, index) => ({ id: `d${index}`, type: 'folder' }) as Folder)
const files = Array.from({ length: 8 }, (_, index) => ({ id: `f${index}`, type: 'file' }) as File)
// d0 d1 d2 d3 / d4 / f0 … f4 / f5 f6 f7
const rows = layOutRows(folders, files, { folders: 4, files: 5 })
const next = (from: string | undefined, key: string, isControl = false) => findNextItem(rows, from, key, isControl)?.id

describe('layOutRows', () => {
  test('puts folders before files, each below its heading', () => {
    expect(rows.map((row) => (row.kind === 'heading' ? row.text : row.items.length))).toEqual([
      'Folders',
      4,
      1,
      'Files',
      5,
      3,
    ])
    expect(rowOf(rows, 'f6')).toBe(5)
    expect(rowOf(rows, 'gone')).toBe(-1)
  })

  test('shows no heading over nothing', () => {
    expect(layOutRows([], files, { folders: 4, files: 5 })[0]).toEqual({ kind: 'heading', text: 'Files' })
    expect(layOutRows([], [], { folders: 4, files: 5 })).toEqual([])
  })
})

test('columns follow the width', () => {
  expect(columnsFor(328)).toEqual({ folders: 1, files: 2 })
  expect(columnsFor(700)).toEqual({ folders: 3, files: 3 })
  expect(columnsFor(1136)).toEqual({ folders: 4, files: 5 })
  expect(columnsFor(3000).files).toBe(7)
})

describe('findNextItem', () => {
  test('left and right go through all items', () => {
    expect(next('d3', 'ArrowRight')).toBe('d4')
    expect(next('d4', 'ArrowRight')).toBe('f0')
    expect(next('f0', 'ArrowLeft')).toBe('d4')
    expect(next('d0', 'ArrowLeft')).toBe('d0')
    expect(next('f7', 'ArrowRight')).toBe('f7')
  })

  test('up and down keep to the column', () => {
    expect(next('f1', 'ArrowDown')).toBe('f6')
    expect(next('f6', 'ArrowUp')).toBe('f1')
    expect(next('d2', 'ArrowDown')).toBe('d4')
    expect(next('d4', 'ArrowDown')).toBe('f0')
    expect(next('f4', 'ArrowDown')).toBe('f7')
    expect(next('d0', 'ArrowUp')).toBe('d0')
  })

  test('home and end stay in the row, with Control they go all the way', () => {
    expect(next('f3', 'Home')).toBe('f0')
    expect(next('f3', 'End')).toBe('f4')
    expect(next('f3', 'Home', true)).toBe('d0')
    expect(next('d1', 'End', true)).toBe('f7')
  })

  test('page keys pass over several rows', () => {
    expect(next('d0', 'PageDown')).toBe('f5')
    expect(next('f5', 'PageUp')).toBe('d0')
  })

  test('other keys and an empty grid lead nowhere', () => {
    expect(next('d0', 'x')).toBeUndefined()
    expect(findNextItem([], undefined, 'ArrowDown', false)).toBeUndefined()
  })
})
