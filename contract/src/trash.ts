import { z } from 'zod'
import { defineCall } from './call.ts'
import { done, id, time } from './fields.ts'
import { file, folder } from './items.ts'
import { changedItems, namedItems } from './selection.ts'

/** What the trash tells about an item besides the item itself. */
const trashed = {
  deleted_at: time.describe('When it was put into the trash'),
  originalPath: z.string().describe('The folder it lay in, like /Photos/2024; / is the root'),
  daysLeft: z.int().nonnegative().describe('Days until it is deleted for good, begun ones included'),
}

const trashedFile = file.extend(trashed)
export type TrashedFile = z.infer<typeof trashedFile>

const trashedFolder = folder.extend(trashed)
export type TrashedFolder = z.infer<typeof trashedFolder>

export type TrashedItem = TrashedFile | TrashedFolder

export const listTrash = defineCall({
  method: 'GET',
  path: '/trash',
  access: 'user',
  summary: 'What was put into the trash, of drive and vault, the newest first; what lies inside it is not listed',
  input: z.object({}),
  output: z.object({ files: z.array(trashedFile), folders: z.array(trashedFolder) }),
})

export const restoreFile = defineCall({
  method: 'POST',
  path: '/trash/restore/file/{id}',
  access: 'user',
  summary: 'Take a file out of the trash: to where it was, or to the root, under another name where its own is taken',
  input: z.object({ id }),
  output: file,
})

export const restoreFolder = defineCall({
  method: 'POST',
  path: '/trash/restore/folder/{id}',
  access: 'user',
  summary: 'Take a folder out of the trash with all that was put there with it',
  input: z.object({ id }),
  output: folder,
})

export const deleteFile = defineCall({
  method: 'DELETE',
  path: '/file/{id}',
  access: 'user',
  summary: 'Delete a file of the trash for good',
  input: z.object({ id }),
  output: done,
})

export const deleteFolder = defineCall({
  method: 'DELETE',
  path: '/folder/{id}',
  access: 'user',
  summary: 'Delete a folder of the trash for good, with all that was put there with it',
  input: z.object({ id }),
  output: done,
})

export const emptyTrash = defineCall({
  method: 'DELETE',
  path: '/trash/delete-all',
  access: 'user',
  summary: 'Delete everything in the trash for good',
  input: z.object({}),
  output: done,
})

export const restoreItems = defineCall({
  method: 'POST',
  path: '/items/restore',
  access: 'user',
  summary: 'Take many files and folders out of the trash: all of them or none',
  input: namedItems,
  output: changedItems,
})

export const deleteItems = defineCall({
  method: 'POST',
  path: '/items/delete',
  access: 'user',
  summary: 'Delete many files and folders of the trash for good: all of them or none',
  input: namedItems,
  output: changedItems,
})
