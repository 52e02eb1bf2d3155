import type { File, Folder, Item } from '@alcove/contract/items'
import { describe, expect, test } from 'vitest'
import { DEFAULT_SORT, readSort, sortItems, writeSort } from './item-order.ts'

function file(name: string, size = 0, modifiedAt = '2026-01-01T00:00:00.000Z') {
  return { type: 'file', id: name, name, size, modifiedAt, updatedAt: '2026-06-01T00:00:00.000Z' } as File
}
function folder(name: string, updatedAt = '2026-01-01T00:00:00.000Z') {
  return { type: 'folder', id: name, name, updatedAt } as Folder
}
const names = (items: readonly Item[]) => items.map(({ name }) => name)

describe('sortItems', () => {
  test('sorts numbers in names by their value', () => {
    const files = ['photo 10.jpg', 'Photo 9.jpg', 'étage.jpg', 'eta.jpg', 'photo 1.jpg'].map((name) => file(name))
    expect(names(sortItems(files, DEFAULT_SORT))).toEqual([
      'eta.jpg',
      'étage.jpg',
      'photo 1.jpg',
      'Photo 9.jpg',
      'photo 10.jpg',
    ])
  })

  test('sorts by size, and by name if sizes are equal', () => {
    const files = [file('b', 2), file('a', 2), file('c', 9)]
    expect(names(sortItems(files, { field: 'size', order: 'asc' }))).toEqual(['a', 'b', 'c'])
  })

  test('sorts by type', () => {
    const files = [file('a.pdf'), file('b.jpg'), file('c')]
    expect(names(sortItems(files, { field: 'type', order: 'asc' }))).toEqual(['c', 'b.jpg', 'a.pdf'])
  })

  test('sorts files by their own date and folders by their last change', () => {
    const files = [file('a', 0, '2011-05-06T00:00:00.000Z'), file('b', 0, '1999-12-31T00:00:00.000Z')]
    const items = [...files, folder('c', '2026-02-01T00:00:00.000Z'), folder('d')]
    expect(names(sortItems(items, { field: 'modifiedAt', order: 'asc' }))).toEqual(['d', 'c', 'b', 'a'])
    expect(names(sortItems(items, { field: 'modifiedAt', order: 'desc' }))).toEqual(['c', 'd', 'a', 'b'])
  })

  test('puts folders first in either direction', () => {
    const items = [file('a'), folder('z'), folder('b')]
    expect(names(sortItems(items, DEFAULT_SORT))).toEqual(['b', 'z', 'a'])
    expect(names(sortItems(items, { field: 'name', order: 'desc' }))).toEqual(['z', 'b', 'a'])
  })
})

test('reads a stored sort order and falls back to the default for unknown text', () => {
  expect(readSort(writeSort({ field: 'size', order: 'desc' }))).toEqual({ field: 'size', order: 'desc' })
  // Stored before files had dates of their own.
  expect(readSort('updatedAt-desc')).toEqual({ field: 'modifiedAt', order: 'desc' })
  for (const text of [undefined, '', 'name', 'name-up', 'colour-asc']) expect(readSort(text)).toEqual(DEFAULT_SORT)
})
