import type { File, Folder, Item } from '@alcove/contract/items'
import { QueryClient } from '@tanstack/react-query'
import { describe, expect, test } from 'vitest'
import { queryKeys } from '../../api/query-keys.ts'
import {
  completeList,
  countFolders,
  EMPTY_LIST,
  type ItemList,
  indexOfItem,
  patchItems,
  withItems,
  withoutItems,
} from './item-lists.ts'
import { compareBy, DEFAULT_SORT } from './item-order.ts'

const file = (name: string, size = 0) =>
  ({ type: 'file', id: name, name, size, folder_id: null, isFavorite: false }) as File
const folder = (name: string) => ({ type: 'folder', id: name, name, parentId: null }) as Folder
const names = ({ items }: ItemList) => items.map(({ name }) => name)
const byName = compareBy(DEFAULT_SORT)

const items: Item[] = [folder('A'), folder('C'), file('b'), file('d')]

describe('a complete list', () => {
  test('inserts items in sort order and updates the total', () => {
    const list = withItems(completeList(items), [file('c'), folder('B'), file('e')], byName)
    expect(names(list)).toEqual(['A', 'B', 'C', 'b', 'c', 'd', 'e'])
    expect(list.total).toBe(7)
  })

  test('moves a renamed item to its new place without changing the total', () => {
    const renamed = { ...file('b'), name: 'x' }
    const list = withItems(completeList(items), [renamed], byName)
    expect(names(list)).toEqual(['A', 'C', 'd', 'x'])
    expect(list.total).toBe(4)
  })

  test('removes items and returns the same object if no item was removed', () => {
    const list = completeList(items)
    expect(withoutItems(list, [{ id: 'C' }])).toMatchObject({ total: 3 })
    expect(withoutItems(list, [{ id: 'unknown' }])).toBe(list)
  })

  test('counts the folders and returns the index of an item or -1', () => {
    const list = completeList(items)
    expect(countFolders(list)).toBe(2)
    expect(countFolders(EMPTY_LIST)).toBe(0)
    expect([indexOfItem(list, 'b'), indexOfItem(list, 'unknown'), indexOfItem(list, undefined)]).toEqual([2, -1, -1])
  })
})

describe('a list with pages that have not loaded', () => {
  const list: ItemList = { items: items.slice(0, 3), total: 10, nextCursor: 'x' }

  test('counts an item that belongs behind the loaded items without inserting it', () => {
    const next = withItems(list, [file('z')], byName)
    expect(names(next)).toEqual(['A', 'C', 'b'])
    expect(next.total).toBe(11)
  })

  test('inserts an item among the loaded ones and remembers its id', () => {
    const next = withItems(list, [file('a')], byName)
    expect(names(next)).toEqual(['A', 'C', 'a', 'b'])
    expect([...(next.added ?? [])]).toEqual(['a'])
  })

  test('counts the missing items as folders while only folders have loaded', () => {
    expect(countFolders(list)).toBe(2)
    expect(countFolders({ ...list, items: items.slice(0, 2) })).toBe(10)
  })
})

test('patchItems updates the cached lists of a folder in every sort order', () => {
  const queryClient = new QueryClient()
  const bySize = [...queryKeys.folderItems(null), 'size-desc']
  const byNameKey = [...queryKeys.folderItems(null), 'name-asc']
  queryClient.setQueryData(bySize, completeList([file('a', 9), file('b', 1)]))
  queryClient.setQueryData(byNameKey, completeList([file('a', 9), file('b', 1)]))
  patchItems(queryClient, [file('c', 5)])
  expect(names(queryClient.getQueryData(bySize) ?? EMPTY_LIST)).toEqual(['a', 'c', 'b'])
  expect(names(queryClient.getQueryData(byNameKey) ?? EMPTY_LIST)).toEqual(['a', 'b', 'c'])
})
