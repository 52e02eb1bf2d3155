import type { File, Folder } from '@alcove/contract/items'
import { expect, test } from 'vitest'
import { changeTexts, namesOf } from './change-texts.ts'

const file = (name: string) => ({ id: name, type: 'file', name }) as File
const folder = { id: 'd', type: 'folder', name: 'A' } as Folder
const many = { items: ['a', 'b', 'c', 'd'].map(file) }

test('for one file or folder the texts are those of the specification', () => {
  expect(changeTexts.askTrash({ items: [file('a')] })).toBe('Are you sure you want to delete this file?')
  expect(changeTexts.askTrash({ items: [folder] })).toBe(
    'Are you sure you want to delete this folder and all its contents?',
  )
  expect(changeTexts.trashed({ items: [file('a')] })).toBe('File deleted successfully.')
  expect(changeTexts.notTrashed({ items: [folder] })).toBe('Folder deletion failed.')
  expect(changeTexts.moved({ items: [file('a')] })).toBe('File moved successfully.')
  expect(changeTexts.notMoved({ items: [file('a')] })).toBe('Failed to move file.')
  expect(changeTexts.notMoved({ items: [file('a')] }, 'No.')).toBe('Failed to move file: No.')
})

test('for several items the texts have the count, including items that have not loaded', () => {
  expect(changeTexts.askTrash(many)).toBe('Are you sure you want to delete these 4 items?')
  const everything = { folderId: undefined, exceptIds: [], count: 5000 }
  expect(changeTexts.trashed({ ...many, everything })).toBe('5,000 items deleted.')
})

test('the trash of items in somebody else’s folder is that of its owner', () => {
  const chosen = { items: [file('a')], isOthers: true }
  expect(changeTexts.askTrashDetail(chosen)).toMatch(/^a\. The owner of the folder can restore it from Trash for /)
  expect(changeTexts.whereTrashed(chosen)).toMatch(/^Moved to Trash of the folder’s owner\. /)
  expect(changeTexts.whereTrashed(many)).toMatch(/^Moved to Trash\. /)
})

test('the first three items are named', () => {
  expect(namesOf({ items: [file('a')] })).toBe('a')
  expect(namesOf(many)).toBe('a, b, c and 1 more')
})
