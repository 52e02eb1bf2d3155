import { z } from 'zod'
import { defineCall } from './call.ts'
import { count, flag, folderIdOrRoot, id } from './fields.ts'
import { item, pathStep } from './items.ts'
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from './limits.ts'
import { changedItems, selection } from './selection.ts'

const sortField = z.enum(['name', 'size', 'updatedAt', 'type'])
const sortOrder = z.enum(['asc', 'desc'])

export const listItems = defineCall({
  method: 'GET',
  path: '/items',
  access: 'user',
  summary: 'A page of what is in a folder, or at the root: folders first, in the order asked for',
  input: z.object({
    folderId: folderIdOrRoot,
    vault: flag.describe('The root of the vault, where no folder is given'),
    sort: sortField.default('name'),
    order: sortOrder.default('asc'),
    limit: count.pipe(z.int().min(1).max(MAX_PAGE_SIZE)).default(DEFAULT_PAGE_SIZE),
    cursor: z
      .string()
      .max(5000)
      .optional()
      .describe('The `nextCursor` of the page before, with the same sort and order'),
    offset: count
      .pipe(z.int().min(0))
      .default(0)
      .describe('How many items to pass over, for a look far down; only pages by cursor miss and double nothing'),
  }),
  output: z.object({
    items: z.array(item),
    nextCursor: z.string().nullable().describe('null on the last page'),
    total: z.int().nonnegative().describe('How many there are on all pages'),
  }),
})

export const getItem = defineCall({
  method: 'GET',
  path: '/items/{id}',
  access: 'user',
  summary: 'All that is known of a file or folder',
  input: z.object({ id }),
  output: z.object({
    item,
    path: z.array(pathStep).describe('The folders it lies in, the topmost first'),
    itemCount: z.int().nonnegative().describe('Files and folders below a folder, at any depth; 0 for a file'),
    totalSize: z.int().nonnegative().describe('bytes, of all that lies below a folder'),
    sha256: z
      .string()
      .nullable()
      .describe('Of a file, in hexadecimal; null until it has been computed, and for folders'),
  }),
})

export const moveItems = defineCall({
  method: 'POST',
  path: '/items/move',
  access: 'user',
  summary: 'Move many files and folders into a folder, or to the root: all of them or none',
  input: selection.safeExtend({
    targetFolderId: folderIdOrRoot,
    onConflict: z.enum(['fail', 'keepBoth']).default('fail'),
  }),
  output: changedItems,
})

export const copyItems = defineCall({
  method: 'POST',
  path: '/items/copy',
  access: 'user',
  summary: 'Copy many files and folders into a folder, or to the root, each with all that is in it',
  input: selection.safeExtend({
    targetFolderId: folderIdOrRoot,
    onConflict: z.enum(['fail', 'keepBoth']).default('keepBoth'),
  }),
  output: changedItems,
  status: 201,
})

export const trashItems = defineCall({
  method: 'POST',
  path: '/items/trash',
  access: 'user',
  summary: 'Move many files and folders to the trash: all of them or none',
  input: selection,
  output: changedItems,
})

export const getItemsDownloadUrl = defineCall({
  method: 'POST',
  path: '/items/download-url',
  access: 'user',
  summary: 'A short-lived address from which a browser downloads many files and folders as one ZIP',
  input: selection,
  output: z.object({ url: z.url() }),
})
