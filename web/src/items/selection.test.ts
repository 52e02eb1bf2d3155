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

describe('selecting everything', () => {
  test('includes all items, loaded or not, except those that were toggled off', () => {
    const all = selectAll(chooseItem('a'))
    expect(countSelected(all, 100_000)).toBe(100_000)
    expect(isSelected(all, 'whatever')).toBe(true)
    const max = toggleItem(toggleItem(all, 'a'), 'b')
    expect(countSelected(max, 100_000)).toBe(99_998)
    expect(isSelected(max, 'a')).toBe(false)
    expect(countSelected(toggleItem(max, 'a'), 100_000)).toBe(99_999)
  })

  test('sends the folder and the excluded ids instead of the ids of all items', () => {
    expect(toSelectionInput(selectAll(NO_SELECTION), 'f')).toEqual({ allIn: { folderId: 'f', exceptIds: undefined } })
    expect(toSelectionInput(toggleItem(selectAll(NO_SELECTION), 'a'), undefined)).toEqual({
      allIn: { folderId: null, exceptIds: ['a'] },
    })
    expect(toSelectionInput(toggleItem(chooseItem('a'), 'b'), 'f')).toEqual({ itemIds: ['a', 'b'] })
  })
})

describe('selectInFrame', () => {
  test('selects the items in the frame, or adds them to the selection with Ctrl', () => {
    const before = chooseItem('a')
    expect(idsOf(selectInFrame(before, ['b', 'c'], false))).toEqual(['b', 'c'])
    expect(idsOf(selectInFrame(before, ['b', 'c'], true))).toEqual(['a', 'b', 'c'])
    expect(idsOf(selectInFrame(before, [], true))).toEqual(['a'])
  })

  test('selects items again that were excluded from a selection of everything', () => {
    const max = toggleItem(selectAll(NO_SELECTION), 'a')
    expect(selectInFrame(max, ['a', 'b'], true).exceptIds.size).toBe(0)
  })
})

describe('keepExisting', () => {
  test('removes items from the selection that the list no longer has', () => {
    const selection = keepExisting(toggleItem(chooseItem('a'), 'b'), (id) => id === 'a')
    expect(idsOf(selection)).toEqual(['a'])
    expect(selection.anchorId).toBeUndefined()
    const max = keepExisting(toggleItem(selectAll(NO_SELECTION), 'a'), () => false)
    expect(countSelected(max, 5)).toBe(5)
  })

  test('returns the same selection if all selected items still exist', () => {
    const selection = chooseItem('a')
    expect(keepExisting(selection, () => true)).toBe(selection)
  })
})

test('bytesSelected adds up the sizes of files and counts folders as zero', () => {
  expect(bytesSelected([{ type: 'file', size: 3 } as File, { type: 'folder' } as Folder])).toBe(3)
})
