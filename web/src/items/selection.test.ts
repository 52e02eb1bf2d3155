import type { File, Folder } from '@alcove/contract/items'
import { describe, expect, test } from 'vitest'
import {
  bytesSelected,
  chooseItem,
  countSelected,
  isSelected,
  keepExisting,
  NO_SELECTION,
  type Selection,
  selectAll,
  selectInFrame,
  selectRange,
  toggleItem,
  toSelectionInput,
} from './selection.ts'

const idsOf = ({ ids }: Selection) => [...ids].toSorted()

describe('single items', () => {
  test('a click selects one item and nothing else', () => {
    const selection = chooseItem('b')
    expect(idsOf(chooseItem('a'))).toEqual(['a'])
    expect(idsOf(selection)).toEqual(['b'])
    expect(selection.anchorId).toBe('b')
  })

  test('toggling adds and removes an item, and moves the anchor', () => {
    const two = toggleItem(chooseItem('a'), 'b')
    expect(idsOf(two)).toEqual(['a', 'b'])
    expect(two.anchorId).toBe('b')
    expect(idsOf(toggleItem(two, 'a'))).toEqual(['b'])
  })
})

describe('ranges', () => {
  test('a range replaces the selection and keeps its anchor', () => {
    const selection = selectRange(toggleItem(chooseItem('a'), 'c'), ['c', 'd', 'e'])
    expect(idsOf(selection)).toEqual(['c', 'd', 'e'])
    expect(selection.anchorId).toBe('c')
    expect(idsOf(selectRange(selection, ['b', 'c']))).toEqual(['b', 'c'])
  })

  test('a range without an anchor starts at its first item', () => {
    expect(selectRange(NO_SELECTION, ['x', 'y']).anchorId).toBe('x')
  })
})

describe('everything', () => {
  test('includes all items, loaded or not, except those that are toggled off', () => {
    const all = selectAll(chooseItem('a'))
    expect(countSelected(all, 100_000)).toBe(100_000)
    expect(isSelected(all, 'whatever')).toBe(true)
    const max = toggleItem(toggleItem(all, 'a'), 'b')
    expect(countSelected(max, 100_000)).toBe(99_998)
    expect(isSelected(max, 'a')).toBe(false)
    expect(countSelected(toggleItem(max, 'a'), 100_000)).toBe(99_999)
  })

  test('is sent as the folder, not as the ids of all its items', () => {
    expect(toSelectionInput(selectAll(NO_SELECTION), 'f')).toEqual({ allIn: { folderId: 'f', exceptIds: undefined } })
    expect(toSelectionInput(toggleItem(selectAll(NO_SELECTION), 'a'), undefined)).toEqual({
      allIn: { folderId: null, exceptIds: ['a'] },
    })
    expect(toSelectionInput(toggleItem(chooseItem('a'), 'b'), 'f')).toEqual({ itemIds: ['a', 'b'] })
  })
})

describe('a marquee', () => {
  test('selects the items in it, with Ctrl in addition', () => {
    const before = chooseItem('a')
    expect(idsOf(selectInFrame(before, ['b', 'c'], false))).toEqual(['b', 'c'])
    expect(idsOf(selectInFrame(before, ['b', 'c'], true))).toEqual(['a', 'b', 'c'])
    expect(idsOf(selectInFrame(before, [], true))).toEqual(['a'])
  })

  test('selects items again that were toggled off from everything', () => {
    const max = toggleItem(selectAll(NO_SELECTION), 'a')
    expect(selectInFrame(max, ['a', 'b'], true).exceptIds.size).toBe(0)
  })
})

describe('an item that is removed from the list', () => {
  test('is removed from the selection', () => {
    const selection = keepExisting(toggleItem(chooseItem('a'), 'b'), (id) => id === 'a')
    expect(idsOf(selection)).toEqual(['a'])
    expect(selection.anchorId).toBeUndefined()
    const max = keepExisting(toggleItem(selectAll(NO_SELECTION), 'a'), () => false)
    expect(countSelected(max, 5)).toBe(5)
  })

  test('changes nothing if it was not selected', () => {
    const selection = chooseItem('a')
    expect(keepExisting(selection, () => true)).toBe(selection)
  })
})

test('the size of a selection is that of its files', () => {
  expect(bytesSelected([{ type: 'file', size: 3 } as File, { type: 'folder' } as Folder])).toBe(3)
})
