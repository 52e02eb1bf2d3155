import { z } from 'zod'
import { defineCall } from './call.ts'
import { done, id, time } from './fields.ts'
import { file, folder } from './items.ts'
import { MAX_SELECTION_BODY } from './limits.ts'
import { changedItems, namedItems } from './selection.ts'

/** The fields that the trash adds to an item. */
const trashed = {
  deleted_at: time.describe('When it was moved to the trash'),
  originalPath: z.string().describe('The folder that contained it, for example /Photos/2024; / is the root'),
  daysLeft: z.int().nonnegative().describe('Days until it is deleted permanently, rounded up'),
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
  scope: 'read',
  summary: 'List the trashed items of drive and vault, newest first, without the contents of trashed folders',
  input: z.object({}),
  output: z.object({ files: z.array(trashedFile), folders: z.array(trashedFolder) }),
})

export const restoreFile = defineCall({
  method: 'POST',
  path: '/trash/restore/file/{id}',
  access: 'user',
  scope: 'write',
  summary: 'Restore a file to its folder, or to the root if that is gone. If its name is taken, it gets another one',
  input: z.object({ id }),
  output: file,
})

export const restoreFolder = defineCall({
  method: 'POST',
  path: '/trash/restore/folder/{id}',
  access: 'user',
  scope: 'write',
  summary: 'Restore a folder with everything that was trashed with it',
  input: z.object({ id }),
  output: folder,
})

export const deleteFile = defineCall({
  method: 'DELETE',
  path: '/file/{id}',
  access: 'user',
  scope: 'write',
  summary: 'Delete a trashed file permanently',
  input: z.object({ id }),
  output: done,
})

export const deleteFolder = defineCall({
  method: 'DELETE',
  path: '/folder/{id}',
  access: 'user',
  scope: 'write',
  summary: 'Delete a trashed folder permanently, with everything that was trashed with it',
  input: z.object({ id }),
  output: done,
})

export const emptyTrash = defineCall({
  method: 'DELETE',
  path: '/trash/delete-all',
  access: 'user',
  scope: 'write',
  summary: 'Empty the trash: delete everything in it permanently',
  input: z.object({}),
  output: done,
})

export const restoreItems = defineCall({
  method: 'POST',
  path: '/items/restore',
  access: 'user',
  scope: 'write',
  summary: 'Restore many files and folders: all or none',
  input: namedItems,
  output: changedItems,
  bodyLimit: MAX_SELECTION_BODY,
})

export const deleteItems = defineCall({
  method: 'POST',
  path: '/items/delete',
  access: 'user',
  scope: 'write',
  summary: 'Delete many trashed files and folders permanently: all or none',
  input: namedItems,
  output: changedItems,
  bodyLimit: MAX_SELECTION_BODY,
})
