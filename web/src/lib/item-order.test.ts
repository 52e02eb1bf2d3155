import type { File, Folder } from '@alcove/contract/items'
import { describe, expect, test } from 'vitest'
import { DEFAULT_SORT, readSort, sortFiles, sortFolders, writeSort } from './item-order.ts'

function file(name: string, size = 0, updatedAt = '2026-01-01T00:00:00.000Z') {
  return { name, size, updatedAt } as File
}
const names = (items: { name: string }[]) => items.map(({ name }) => name)

describe('sortFiles', () => {
  test('counts like people do', () => {
    const files = ['photo 10.jpg', 'Photo 9.jpg', 'étage.jpg', 'eta.jpg', 'photo 1.jpg'].map((name) => file(name))
    expect(names(sortFiles(files, DEFAULT_SORT))).toEqual([
      'eta.jpg',
      'étage.jpg',
      'photo 1.jpg',
      'Photo 9.jpg',
      'photo 10.jpg',
    ])
  })

  test('by size, and by name where sizes are equal', () => {
    const files = [file('b', 2), file('a', 2), file('c', 9)]
    expect(names(sortFiles(files, { field: 'size', order: 'asc' }))).toEqual(['a', 'b', 'c'])
    expect(names(sortFiles(files, { field: 'size', order: 'desc' }))).toEqual(['c', 'a', 'b'])
  })

  test('by type', () => {
    const files = [file('a.pdf'), file('b.jpg'), file('c')]
    expect(names(sortFiles(files, { field: 'type', order: 'asc' }))).toEqual(['c', 'b.jpg', 'a.pdf'])
  })
})

test('folders without a size keep the order of their names', () => {
  const folders = [{ name: 'b' }, { name: 'a' }] as Folder[]
  expect(names(sortFolders(folders, { field: 'size', order: 'desc' }))).toEqual(['a', 'b'])
  expect(names(sortFolders(folders, { field: 'name', order: 'desc' }))).toEqual(['b', 'a'])
})

test('a sort is remembered, and nonsense is forgotten', () => {
  expect(readSort(writeSort({ field: 'updatedAt', order: 'desc' }))).toEqual({ field: 'updatedAt', order: 'desc' })
  for (const text of [undefined, '', 'name', 'name-up', 'colour-asc']) expect(readSort(text)).toEqual(DEFAULT_SORT)
})
