import { z } from 'zod'
import { defineCall } from './call.ts'
import { id } from './fields.ts'

const lock = z.object({
  itemId: z.string().describe('The locked item: this one, or a folder that contains it'),
  name: z.string().describe('Of the locked item'),
  type: z.enum(['file', 'folder']),
  scope: z.enum(['exclusive', 'shared']),
  app: z.string().describe('Which app holds the lock, such as `LibreOffice on Linux`'),
  createdAt: z.string(),
  expiresAt: z.string().describe('The app may extend the lock before'),
})
export type ItemLock = z.infer<typeof lock>

export const listItemLocks = defineCall({
  method: 'GET',
  path: '/items/{id}/locks',
  access: 'user',
  scope: 'read',
  summary: 'List the locks of a file or folder and of the folders that contain it',
  input: z.object({ id }),
  output: z.object({ locks: z.array(lock) }),
})

export const breakItemLocks = defineCall({
  method: 'DELETE',
  path: '/items/{id}/locks',
  access: 'user',
  scope: 'write',
  summary: 'Release all locks of a file or folder, whichever app holds them',
  input: z.object({ id }),
  output: z.object({ message: z.string(), count: z.int().nonnegative() }),
})
