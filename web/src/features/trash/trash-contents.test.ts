import type { File } from '@alcove/contract/items'
import type { TrashedFile, TrashedFolder } from '@alcove/contract/trash'
import { expect, test } from 'vitest'
import { describeFailed, describePlace, describeRestored, nameOf, withItems, withoutItems } from './trash-contents.ts'

const file: TrashedFile = {
  id: 'a',
  name: 'a.txt',
  filename: 'a.txt',
  folder_id: 'f',
  type: 'file',
  mimeType: 'text/plain',
  size: 1,
  modifiedAt: '2025-12-24T00:00:00.000Z',
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  isEncrypted: false,
  isFavorite: false,
  isShared: false,
  deleted_at: '2026-02-02T00:00:00.000Z',
  originalPath: '/Photos/2024',
  daysLeft: 3,
}
const older = { ...file, id: 'b', deleted_at: '2026-02-01T00:00:00.000Z' }
const newer = { ...file, id: 'c', deleted_at: '2026-02-03T00:00:00.000Z' }
const folder: TrashedFolder = {
  id: 'g',
  name: 'g',
  parentId: null,
  type: 'folder',
  createdAt: file.createdAt,
  updatedAt: file.updatedAt,
  isFavorite: false,
  isShared: false,
  deleted_at: file.deleted_at,
  originalPath: '/',
  daysLeft: 3,
  isEncrypted: false,
}

test('an item that is added again is at its old place', () => {
  const trash = { files: [newer, file, older], folders: [folder] }
  const without = withoutItems(trash, [file])
  expect(without.files).toEqual([newer, older])
  expect(withItems(without, [file])).toEqual(trash)
  expect(withItems(withoutItems(trash, [folder, older]), [older, folder])).toEqual(trash)
})

test('the message after restoring has the folder, and the name if it is new', () => {
  const restored: File = file
  expect(describeRestored(file, restored)).toBe('File restored to Photos/2024.')
  expect(describeRestored(folder, folder)).toBe('Folder restored.')
  expect(describeRestored(file, { ...restored, name: 'a (1).txt' })).toBe('File restored as a (1).txt to Photos/2024.')
  expect(describeRestored(file, { ...restored, name: 'b', folder_id: null })).toBe(
    'File restored as b to the root, because its folder no longer exists.',
  )
})

test('the message after a failure names the item and the reason', () => {
  expect(nameOf([file])).toBe('file')
  expect(nameOf([folder, file])).toBe('2 items')
  expect(describeFailed([], [file])).toBe('')
  expect(describeFailed([{ itemId: 'a', error: 'It is gone.' }], [file])).toBe(': "a.txt": It is gone.')
  const both = [
    { itemId: 'x', name: 'b', error: 'No.' },
    { itemId: 'a', error: 'No.' },
  ]
  expect(describeFailed(both, [file])).toBe(': "b": No. And 1 other.')
})

test('the folder of an item is described unless it is the root', () => {
  expect(describePlace(file)).toBe('Photos/2024')
  expect(describePlace(folder)).toBeUndefined()
  expect(describePlace({ ...file, isEncrypted: true })).toBe('Vault/Photos/2024')
  expect(describePlace({ ...folder, isEncrypted: true })).toBe('Vault')
})
