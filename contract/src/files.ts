import { z } from 'zod'
import { defineCall } from './call.ts'
import { count, done, fileName, flag, folderIdOrRoot, folderName, id } from './fields.ts'
import { file, folder, item, pathStep } from './items.ts'
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE, MAX_SEARCH_LENGTH, MAX_SEARCH_RESULTS } from './limits.ts'
import { changedItems, selection } from './selection.ts'
import { THUMBNAIL_SIZES } from './thumbnails.ts'

const byName = z.object({ filename: fileName, folderId: folderIdOrRoot, isEncrypted: flag })

export const listFiles = defineCall({
  method: 'GET',
  path: '/files',
  access: 'user',
  summary: "A folder's files, or the root's",
  input: z.object({ folderId: folderIdOrRoot }),
  output: z.object({ files: z.array(file) }),
})

export const listRootFolders = defineCall({
  method: 'GET',
  path: '/folders',
  access: 'user',
  summary: 'The folders at the root',
  input: z.object({}),
  output: z.array(folder),
})

export const getFolder = defineCall({
  method: 'GET',
  path: '/folder/{id}',
  access: 'user',
  summary: 'A folder with its folders, files and ancestors',
  input: z.object({ id }),
  output: z.object({
    id,
    name: z.string(),
    parentId: id.nullable(),
    path: z.array(pathStep).describe('The ancestors, the topmost first'),
    subFolders: z.array(folder),
    files: z.array(file),
  }),
})

export const createFolder = defineCall({
  method: 'POST',
  path: '/create-folder',
  access: 'user',
  summary: 'Create a folder',
  input: z.object({ folderName, parentFolderId: folderIdOrRoot, isEncrypted: flag }),
  output: folder,
  status: 201,
})

export const fetchFile = defineCall({
  method: 'GET',
  path: '/fetch-file',
  access: 'user',
  summary: "A file's bytes, for thumbnails and downloads",
  input: byName,
  output: z.undefined(),
  answers: 'bytes',
})

export const getUserFile = defineCall({
  method: 'GET',
  path: '/user-files/{filename}',
  access: 'user',
  summary: "A file's bytes, for previews",
  input: byName,
  output: z.undefined(),
  answers: 'bytes',
})

export const getDownloadUrl = defineCall({
  method: 'GET',
  path: '/download-url/{id}',
  access: 'user',
  summary: "A short-lived address from which a browser downloads a file, or a folder's ZIP, by itself",
  input: z.object({ id }),
  output: z.object({ url: z.url() }),
})

export const downloadItem = defineCall({
  method: 'GET',
  path: '/download-item/{id}',
  access: 'public',
  summary: 'The bytes behind an address that /download-url gave',
  input: z.object({ id, owner: id, expires: z.string().max(20), signature: z.string().max(100) }),
  output: z.undefined(),
  answers: 'bytes',
})

export const getThumbnail = defineCall({
  method: 'GET',
  path: '/thumbnail/{id}',
  access: 'user',
  summary:
    'A small WebP of a picture, of the first page of a PDF, or, where the server has ffmpeg, of a frame of a video',
  input: z.object({
    id,
    size: z
      .string()
      .default('256')
      .transform(Number)
      .pipe(z.literal(THUMBNAIL_SIZES, `size: one of ${THUMBNAIL_SIZES.join(', ')}.`))
      .describe('256 and 512 cover a bed of 4 : 3 of that width; no side is longer than 1280'),
    v: z
      .string()
      .max(100)
      .optional()
      .describe("The file's `updatedAt`: where it is still the same, the answer may be kept for good"),
  }),
  output: z.undefined(),
  answers: 'bytes',
})

export const searchResult = z.object({
  id,
  name: z.string(),
  type: z.enum(['folder', 'file']),
  path: z.string().describe("The item's own, like `/Photos/2024/a.jpg`"),
  folder_id: id.nullable().describe('The folder it lies in; null at the root'),
})
export type SearchResult = z.infer<typeof searchResult>

export const searchItems = defineCall({
  method: 'GET',
  path: '/search',
  access: 'user',
  summary: 'Files and folders of the drive by any part of their names, without regard to case and accents',
  input: z.object({
    q: z
      .string()
      .max(MAX_SEARCH_LENGTH, `A search can have at most ${MAX_SEARCH_LENGTH} characters.`)
      .default('')
      .describe('Blank text finds nothing'),
  }),
  output: z
    .array(searchResult)
    .max(MAX_SEARCH_RESULTS)
    .describe('The best first: names that are the text, then those that begin with it, then those that contain it'),
})

export const getStorage = defineCall({
  method: 'GET',
  path: '/storage',
  access: 'user',
  summary: 'How much room is used and allocated',
  input: z.object({}),
  output: z.object({
    used_bytes: z.int().describe('Files, trash and vault'),
    reserved_bytes: z.int().describe('Unfinished uploads'),
    allocated_bytes: z.int(),
    usage_percent: z.number(),
    plan_name: z.string(),
    plan_id: z.int(),
  }),
})

export const renameFile = defineCall({
  method: 'POST',
  path: '/rename/{oldFilename}',
  access: 'user',
  summary: 'Rename a file',
  input: z.object({ oldFilename: fileName, newName: fileName, folderId: folderIdOrRoot, isEncrypted: flag }),
  output: file,
})

export const renameFolder = defineCall({
  method: 'POST',
  path: '/rename-folder/{id}',
  access: 'user',
  summary: 'Rename a folder',
  input: z.object({ id, newName: folderName }),
  output: folder,
})

export const moveFile = defineCall({
  method: 'POST',
  path: '/move-file',
  access: 'user',
  summary: 'Move a file into a folder, or to the root',
  input: z.object({ fileId: id, targetFolderId: folderIdOrRoot }),
  output: file,
})

export const moveFolder = defineCall({
  method: 'POST',
  path: '/move-folder',
  access: 'user',
  summary: 'Move a folder with all that is in it',
  input: z.object({ folderId: id, targetFolderId: folderIdOrRoot }),
  output: folder,
})

export const trashFile = defineCall({
  method: 'POST',
  path: '/file/trash/{id}',
  access: 'user',
  summary: 'Move a file to the trash',
  input: z.object({ id }),
  output: done,
})

export const trashFolder = defineCall({
  method: 'POST',
  path: '/folder/trash/{id}',
  access: 'user',
  summary: 'Move a folder with all that is in it to the trash',
  input: z.object({ id }),
  output: done,
})

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
