import { z } from 'zod'
import { defineCall } from './call.ts'
import { count, flag, folderIdOrRoot, id } from './fields.ts'
import { caseTwin, item, pathStep } from './items.ts'
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE, MAX_SELECTION_BODY } from './limits.ts'
import { changedItems, selection } from './selection.ts'

const sortField = z.enum(['name', 'size', 'modifiedAt', 'updatedAt', 'type'])
const sortOrder = z.enum(['asc', 'desc'])

export const listItems = defineCall({
  method: 'GET',
  path: '/items',
  access: 'user',
  scope: 'read',
  forMembers: 'viewer',
  summary: 'List a page of a folder, or of the root: folders first, sorted as requested',
  input: z.object({
    folderId: folderIdOrRoot,
    vault: flag.describe('The root of the vault, if no folder is given'),
    sort: sortField.default('name').describe('`modifiedAt` sorts folders by `updatedAt`'),
    order: sortOrder.default('asc'),
    limit: count.pipe(z.int().min(1).max(MAX_PAGE_SIZE)).default(DEFAULT_PAGE_SIZE),
    cursor: z
      .string()
      .max(5000)
      .optional()
      .describe('The `nextCursor` of the previous page, with the same sort and order'),
    offset: count
      .pipe(z.int().min(0))
      .default(0)
      .describe('How many items to skip. Only paging by cursor never misses or repeats an item'),
  }),
  output: z.object({
    items: z.array(item),
    nextCursor: z.string().nullable().describe('null on the last page'),
    total: z.int().nonnegative().describe('The number of items on all pages'),
  }),
})

export const getItem = defineCall({
  method: 'GET',
  path: '/items/{id}',
  access: 'user',
  scope: 'read',
  forMembers: 'viewer',
  summary: 'Get the details of a file or folder',
  input: z.object({ id }),
  output: z.object({
    item,
    path: z.array(pathStep).describe('The folders that contain it, topmost first'),
    itemCount: z.int().nonnegative().describe('Files and folders below a folder, at any depth; 0 for a file'),
    totalSize: z.int().nonnegative().describe('bytes, of everything below a folder'),
    caseTwin: caseTwin.optional(),
    sha256: z.string().nullable().describe('In hexadecimal. Null for folders, and until it has been computed'),
  }),
})

export const moveItems = defineCall({
  method: 'POST',
  path: '/items/move',
  access: 'user',
  scope: 'write',
  forMembers: 'editor',
  forMembersAtTarget: 'contributor',
  summary:
    'Move many files and folders into a folder, or to the root: all or none. Between owners they are copied, as by `/move-file`',
  input: selection.safeExtend({
    targetFolderId: folderIdOrRoot,
    onConflict: z.enum(['fail', 'keepBoth']).default('fail'),
  }),
  output: changedItems.extend({
    trashedIds: z
      .array(id)
      .optional()
      .describe(
        'If the folder is of another owner: the originals, in the trash of theirs. Then `itemIds` are the copies',
      ),
  }),
  bodyLimit: MAX_SELECTION_BODY,
})

export const copyItems = defineCall({
  method: 'POST',
  path: '/items/copy',
  access: 'user',
  scope: 'write',
  forMembers: 'viewer',
  forMembersAtTarget: 'contributor',
  summary: 'Copy many files and folders, with their contents, into a folder or to the root',
  input: selection.safeExtend({
    targetFolderId: folderIdOrRoot,
    onConflict: z.enum(['fail', 'keepBoth']).default('keepBoth'),
  }),
  output: changedItems,
  status: 201,
  bodyLimit: MAX_SELECTION_BODY,
})

export const trashItems = defineCall({
  method: 'POST',
  path: '/items/trash',
  access: 'user',
  scope: 'write',
  forMembers: 'editor',
  summary: 'Move many files and folders to the trash: all or none',
  input: selection,
  output: changedItems,
  bodyLimit: MAX_SELECTION_BODY,
})

export const getItemsDownloadUrl = defineCall({
  method: 'POST',
  path: '/items/download-url',
  access: 'user',
  scope: 'read',
  forMembers: 'viewer',
  summary: 'Get a short-lived URL that downloads many files and folders as one ZIP',
  input: selection,
  output: z.object({ url: z.url() }),
  bodyLimit: MAX_SELECTION_BODY,
})
