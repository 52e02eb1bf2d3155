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
  test('adds an item at its place, and counts it', () => {
    const list = withItems(completeList(items), [file('c'), folder('B'), file('e')], byName)
    expect(names(list)).toEqual(['A', 'B', 'C', 'b', 'c', 'd', 'e'])
    expect(list.total).toBe(7)
  })

  test('shows an item in its new state in its new place', () => {
    const renamed = { ...file('b'), name: 'x' }
    const list = withItems(completeList(items), [renamed], byName)
    expect(names(list)).toEqual(['A', 'C', 'd', 'x'])
    expect(list.total).toBe(4)
  })

  test('removes items, and stays the same object if there are none to remove', () => {
    const list = completeList(items)
    expect(withoutItems(list, [{ id: 'C' }])).toMatchObject({ total: 3 })
    expect(withoutItems(list, [{ id: 'unknown' }])).toBe(list)
  })

  test('counts its folders and finds its items', () => {
    const list = completeList(items)
    expect(countFolders(list)).toBe(2)
    expect(countFolders(EMPTY_LIST)).toBe(0)
    expect([indexOfItem(list, 'b'), indexOfItem(list, 'unknown'), indexOfItem(list, undefined)]).toEqual([2, -1, -1])
  })
})

describe('a list with pages that have not loaded', () => {
  const list: ItemList = { items: items.slice(0, 3), total: 10, nextCursor: 'x' }

  test('only counts an item that belongs behind the loaded ones', () => {
    const next = withItems(list, [file('z')], byName)
    expect(names(next)).toEqual(['A', 'C', 'b'])
    expect(next.total).toBe(11)
  })

  test('remembers an item that was added before its page loaded', () => {
    const next = withItems(list, [file('a')], byName)
    expect(names(next)).toEqual(['A', 'C', 'a', 'b'])
    expect([...(next.added ?? [])]).toEqual(['a'])
  })

  test('counts the rest as folders as long as only folders have loaded', () => {
    expect(countFolders(list)).toBe(2)
    expect(countFolders({ ...list, items: items.slice(0, 2) })).toBe(10)
  })
})

test('a change shows in every order of its folder', () => {
  const queryClient = new QueryClient()
  const bySize = [...queryKeys.folderItems(null), 'size-desc']
  const byNameKey = [...queryKeys.folderItems(null), 'name-asc']
  queryClient.setQueryData(bySize, completeList([file('a', 9), file('b', 1)]))
  queryClient.setQueryData(byNameKey, completeList([file('a', 9), file('b', 1)]))
  patchItems(queryClient, [file('c', 5)])
  expect(names(queryClient.getQueryData(bySize) ?? EMPTY_LIST)).toEqual(['a', 'c', 'b'])
  expect(names(queryClient.getQueryData(byNameKey) ?? EMPTY_LIST)).toEqual(['a', 'b', 'c'])
})
