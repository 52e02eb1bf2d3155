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

  test('toggling adds and takes away, and moves the anchor', () => {
    const two = toggleItem(chooseItem('a'), 'b')
    expect(idsOf(two)).toEqual(['a', 'b'])
    expect(two.anchorId).toBe('b')
    expect(idsOf(toggleItem(two, 'a'))).toEqual(['b'])
  })
})

describe('ranges', () => {
  test('a range takes the place of what was selected and keeps its anchor', () => {
    const selection = selectRange(toggleItem(chooseItem('a'), 'c'), ['c', 'd', 'e'])
    expect(idsOf(selection)).toEqual(['c', 'd', 'e'])
    expect(selection.anchorId).toBe('c')
    expect(idsOf(selectRange(selection, ['b', 'c']))).toEqual(['b', 'c'])
  })

  test('without an anchor it starts at its first item', () => {
    expect(selectRange(NO_SELECTION, ['x', 'y']).anchorId).toBe('x')
  })
})

describe('everything', () => {
  test('is all that is there, loaded or not, but what is toggled off again', () => {
    const all = selectAll(chooseItem('a'))
    expect(countSelected(all, 100_000)).toBe(100_000)
    expect(isSelected(all, 'whatever')).toBe(true)
    const max = toggleItem(toggleItem(all, 'a'), 'b')
    expect(countSelected(max, 100_000)).toBe(99_998)
    expect(isSelected(max, 'a')).toBe(false)
    expect(countSelected(toggleItem(max, 'a'), 100_000)).toBe(99_999)
  })

  test('goes to the server as the folder, not as the names of all its items', () => {
    expect(toSelectionInput(selectAll(NO_SELECTION), 'f')).toEqual({ allIn: { folderId: 'f', exceptIds: undefined } })
    expect(toSelectionInput(toggleItem(selectAll(NO_SELECTION), 'a'), undefined)).toEqual({
      allIn: { folderId: null, exceptIds: ['a'] },
    })
    expect(toSelectionInput(toggleItem(chooseItem('a'), 'b'), 'f')).toEqual({ itemIds: ['a', 'b'] })
  })
})

describe('a frame', () => {
  test('selects what it holds, with Ctrl in addition', () => {
    const before = chooseItem('a')
    expect(idsOf(selectInFrame(before, ['b', 'c'], false))).toEqual(['b', 'c'])
    expect(idsOf(selectInFrame(before, ['b', 'c'], true))).toEqual(['a', 'b', 'c'])
    expect(idsOf(selectInFrame(before, [], true))).toEqual(['a'])
  })

  test('over everything brings back what had been toggled off', () => {
    const max = toggleItem(selectAll(NO_SELECTION), 'a')
    expect(selectInFrame(max, ['a', 'b'], true).exceptIds.size).toBe(0)
  })
})

describe('what goes from the list', () => {
  test('goes from the selection', () => {
    const selection = keepExisting(toggleItem(chooseItem('a'), 'b'), (id) => id === 'a')
    expect(idsOf(selection)).toEqual(['a'])
    expect(selection.anchorId).toBeUndefined()
    const max = keepExisting(toggleItem(selectAll(NO_SELECTION), 'a'), () => false)
    expect(countSelected(max, 5)).toBe(5)
  })

  test('changes nothing when it was not selected', () => {
    const selection = chooseItem('a')
    expect(keepExisting(selection, () => true)).toBe(selection)
  })
})

test('the bytes are those of the files', () => {
  expect(bytesSelected([{ type: 'file', size: 3 } as File, { type: 'folder' } as Folder])).toBe(3)
})
