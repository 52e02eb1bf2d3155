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
  deletedBy: z
    .string()
    .optional()
    .describe('The address of the member of a shared folder who deleted it; absent if the owner did'),
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
  forMembers: 'editor',
  summary: 'Restore a file to its folder, or to the root if that is gone. If its name is taken, it gets another one',
  input: z.object({ id }),
  output: file,
})

export const restoreFolder = defineCall({
  method: 'POST',
  path: '/trash/restore/folder/{id}',
  access: 'user',
  scope: 'write',
  forMembers: 'editor',
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
  input: z.object({ trashedUntil: time.optional().describe('Keeps what was moved to the trash after this time') }),
  output: done,
})

const deletionGroup = z.object({
  id,
  app: z
    .string()
    .describe('The app, from its user agent: `rclone`. The address, if it was a member of a shared folder'),
  appPassword: z.string().describe('The name of its app password, which may have been revoked. Empty for a member'),
  member: z.string().optional().describe('The address of the member of a shared folder who deleted the files'),
  files: z.int().nonnegative().describe('The number of files it deleted, including those in folders'),
  startedAt: time,
  lastAt: time.describe('The last deletion so far'),
  keptUntil: time.describe('Until then, nothing of it is deleted permanently without its owner'),
})
/** Many files that an app or a member of a shared folder deleted within a short time. */
export type DeletionGroup = z.infer<typeof deletionGroup>

export const listDeletionGroups = defineCall({
  method: 'GET',
  path: '/deletion-groups',
  access: 'user',
  summary:
    'List mass deletions by apps and members of shared folders that were not dismissed and are still in the trash, newest first',
  input: z.object({}),
  output: z.object({ deletionGroups: z.array(deletionGroup) }),
})

export const restoreDeletionGroup = defineCall({
  method: 'POST',
  path: '/deletion-groups/{id}/restore',
  access: 'user',
  summary: 'Restore everything of a mass deletion that is still in the trash: all or nothing',
  input: z.object({ id }),
  output: done.extend({ files: z.int().nonnegative().describe('The number of restored files') }),
})

export const dismissDeletionGroup = defineCall({
  method: 'POST',
  path: '/deletion-groups/{id}/dismiss',
  access: 'user',
  summary: 'Dismiss the message about a mass deletion. Its items stay in the trash',
  input: z.object({ id }),
  output: done,
})

export const restoreItems = defineCall({
  method: 'POST',
  path: '/items/restore',
  access: 'user',
  scope: 'write',
  forMembers: 'editor',
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
