import type { File, Folder, Item } from '@alcove/contract/items'
import { describe, expect, test } from 'vitest'
import {
  countFolders,
  type ItemList,
  indexOfItem,
  itemAt,
  itemsBetween,
  knownItems,
  withItems,
  withItemsAhead,
  withoutItems,
} from './item-lists.ts'
import { compareBy, DEFAULT_SORT } from './item-order.ts'

const nameOf = (index: number) => `f${String(index).padStart(3, '0')}`
const file = (name: string) => ({ type: 'file', id: name, name, size: 0, folder_id: null, isFavorite: false }) as File
const folder = (name: string) => ({ type: 'folder', id: name, name, parentId: null }) as Folder
const files = (from: number, to: number): Item[] =>
  Array.from({ length: to - from }, (_one, place) => file(nameOf(from + place)))
const byName = compareBy(DEFAULT_SORT)

/** A list of a hundred files, of which the first ten and a batch in the middle have loaded. */
const list = withItemsAhead({ items: files(0, 10), total: 100, nextCursor: 'x' }, { start: 50, items: files(50, 60) })

/** Asserts that each loaded item is found at its index, and that none occurs twice. */
function assertConsistent(shown: ItemList, names: readonly string[]): void {
  for (const { id } of knownItems(shown)) expect(itemAt(shown, indexOfItem(shown, id))?.id).toBe(id)
  for (const name of names) expect(indexOfItem(shown, name)).toBe(names.indexOf(name))
  const ids = knownItems(shown).map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
}

describe('a list with batches loaded ahead', () => {
  test('returns the loaded items and nothing for the gaps between them', () => {
    expect([9, 10, 49, 50, 59, 60].map((index) => itemAt(list, index)?.name)).toEqual([
      'f009',
      undefined,
      undefined,
      'f050',
      'f059',
      undefined,
    ])
    expect(indexOfItem(list, 'f055')).toBe(55)
    expect(itemsBetween(list, 8, 53).map(({ name }) => name)).toEqual(['f008', 'f009', 'f050', 'f051', 'f052'])
    expect(knownItems(list)).toHaveLength(20)
  })

  test('keeps batches in order and prefers the newest items where batches overlap', () => {
    const more = withItemsAhead(list, { start: 20, items: files(20, 30) })
    const met = withItemsAhead(more, { start: 55, items: [...files(55, 58), file('new'), ...files(59, 65)] })
    expect(met.ahead?.map(({ start, items }) => [start, items.length])).toEqual([
      [20, 10],
      [50, 5],
      [55, 10],
    ])
    expect(itemAt(met, 58)?.name).toBe('new')
    const around = withItemsAhead(met, { start: 18, items: files(18, 70) })
    expect(around.ahead?.map(({ start, items }) => [start, items.length])).toEqual([[18, 52]])
  })

  test('drops the items that the list has loaded since, and all batches of a complete list', () => {
    const half = withItemsAhead({ ...list, items: files(0, 55) }, { start: 80, items: files(80, 90) })
    expect(half.ahead?.map(({ start }) => start)).toEqual([55, 80])
    expect(indexOfItem(half, 'f054')).toBe(54)
    const complete = { items: files(0, 100), total: 100, nextCursor: null }
    expect(withItemsAhead(complete, { start: 50, items: files(50, 60) })).toBe(complete)
  })

  test('moves a batch up when items before it or in it are removed', () => {
    const without = withoutItems(list, [file('f003'), file('f052'), file('f053')])
    expect(without.total).toBe(97)
    expect(itemAt(without, 49)?.name).toBe('f050')
    expect(itemAt(without, 51)?.name).toBe('f054')
    assertConsistent(without, [])
    expect(withoutItems(list, files(50, 60)).ahead).toBeUndefined()
    expect(withoutItems(list, [file('f030')])).toBe(list)
  })

  test('moves a batch down when items are added before it and in it', () => {
    const withMore = withItems(list, [file('a'), file('f020x'), file('f055x'), file('z')], byName)
    expect(withMore.total).toBe(104)
    expect(itemAt(withMore, 0)?.name).toBe('a')
    expect(itemAt(withMore, 52)?.name).toBe('f050')
    expect(itemAt(withMore, 58)?.name).toBe('f055x')
    expect(itemAt(withMore, 59)?.name).toBe('f056')
    assertConsistent(withMore, [])
  })

  test('moves a renamed item to its new place in the batch', () => {
    const renamed = { ...file('f055'), name: 'f057b' }
    const next = withItems(list, [renamed], byName)
    expect(next.total).toBe(100)
    expect(itemsBetween(next, 54, 59).map(({ name }) => name)).toEqual(['f054', 'f056', 'f057', 'f057b', 'f058'])
  })

  test('counts the folders as soon as a batch shows where they end', () => {
    const folders: ItemList = { items: [folder('A'), folder('B')], total: 20, nextCursor: 'x' }
    expect(countFolders(folders)).toBe(20)
    expect(countFolders(withItemsAhead(folders, { start: 8, items: [folder('I'), file('a'), file('b')] }))).toBe(9)
    expect(countFolders(withItemsAhead(folders, { start: 8, items: [folder('I'), folder('J')] }))).toBe(20)
  })
})
