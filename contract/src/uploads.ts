import { z } from 'zod'
import { defineCall } from './call.ts'
import { errorBody } from './errors.ts'
import { count, done, fileName, flag, folderIdOrRoot, id, jsonText, relativePath, vaultCheck } from './fields.ts'
import { file } from './items.ts'
import {
  MAX_CHUNK_SIZE,
  MAX_CHUNKS,
  MAX_FILES_TOGETHER,
  MAX_FOLDER_PATHS,
  MAX_SMALL_FILE,
  MAX_VERIFIED_UPLOADS,
} from './limits.ts'

/** What happens when the name is taken: both stay, the old file is replaced, or the upload is refused. */
export const onConflict = z.enum(['keepBoth', 'replace', 'fail'])
export type OnConflict = z.infer<typeof onConflict>

/** Where an upload goes and how it lands; `/upload-complete` may say it again, and then its word counts. */
const destination = {
  folderId: folderIdOrRoot,
  parentFolderId: folderIdOrRoot,
  relativePath: relativePath.describe('Trip/day 1/a.jpg: its folders are created below parentFolderId'),
  folderPath: relativePath.describe('The directory part of relativePath'),
  isEncrypted: flag.describe('Goes to the vault'),
  onConflict: onConflict.optional(),
  vaultCheck: vaultCheck.optional().describe('Kept with a file of the vault, for whoever opens it'),
}

export const uploadChunk = defineCall({
  method: 'POST',
  path: '/upload-chunk',
  access: 'user',
  summary: 'Send one chunk of a file, in any order, and again when in doubt',
  input: z.object({
    uploadId: id.describe('Made by the client, one for each file'),
    filename: fileName,
    chunkIndex: count.describe('Counts from 0'),
    totalChunks: count.refine(
      (total) => total >= 1 && total <= MAX_CHUNKS,
      `An upload has 1 to ${MAX_CHUNKS} chunks; take larger chunks for a larger file.`,
    ),
    totalSize: count.optional().describe('Lets a lack of room be told before the first byte'),
    chunkSize: count
      .refine((size) => size >= 1 && size <= MAX_CHUNK_SIZE, 'A chunk has at most 64 MiB.')
      .optional()
      .describe('The size of every chunk but the last, so that chunks can arrive in any order at their final place'),
    complete: flag.describe('Complete the upload in this call if no other chunk is missing'),
    ...destination,
  }),
  output: z.union([
    file,
    z.object({ uploadId: id, chunkIndex: z.int(), received: z.int().describe('How many chunks are there') }),
  ]),
  requestType: 'multipart',
})

/** One of many small files: what it is and where it goes. */
const smallFile = z.object({
  uploadId: id.describe('Made by the client, one for each file'),
  filename: fileName,
  size: count.refine((size) => size <= MAX_SMALL_FILE, 'A file that is sent with others has at most 64 KiB.'),
  ...destination,
})

export type SmallFile = z.input<typeof smallFile>

export const uploadFiles = defineCall({
  method: 'POST',
  path: '/uploads/files',
  access: 'user',
  summary: 'Send many small files in one request; each is stored, or refused, by itself',
  input: z.object({
    files: jsonText(z.array(smallFile).min(1).max(MAX_FILES_TOGETHER)).describe(
      'Up to 100 files of at most 1 MiB in all; their bytes follow in the chunk, one file right behind the other, in this order',
    ),
  }),
  output: z.object({
    results: z.array(
      z.object({
        uploadId: id,
        status: z.int().describe('What `/upload-chunk` would have answered with: 201 where it is stored'),
        file: file.optional().describe('As it is stored, also when it was sent before'),
        refusal: errorBody.optional().describe('Why it is not stored'),
      }),
    ),
  }),
  requestType: 'multipart',
})

export const completeUpload = defineCall({
  method: 'POST',
  path: '/upload-complete',
  access: 'user',
  summary: 'Turn a whole upload into a file; asked again, it gives the same answer',
  input: z.object({ uploadId: id, filename: fileName.optional(), ...destination }),
  output: file,
  status: 201,
})

export const getUpload = defineCall({
  method: 'GET',
  path: '/upload/{uploadId}',
  access: 'user',
  summary: 'What has arrived of an upload, so that it can go on where it stopped',
  input: z.object({ uploadId: id }),
  output: z.object({
    uploadId: id,
    filename: z.string(),
    totalChunks: z.int(),
    received: z.array(z.int()),
    file: file.optional().describe('Once it is complete'),
  }),
})

export const cancelUpload = defineCall({
  method: 'DELETE',
  path: '/upload/{uploadId}',
  access: 'user',
  summary: 'Give an unfinished upload up',
  input: z.object({ uploadId: id }),
  output: done,
})

export const verifyUploads = defineCall({
  method: 'POST',
  path: '/uploads/verify',
  access: 'user',
  summary: 'Which uploads have become files, as the server has them: for comparing with what was sent',
  input: z.object({ uploadIds: z.array(id).min(1).max(MAX_VERIFIED_UPLOADS) }),
  output: z.object({
    stored: z.array(z.object({ uploadId: id, size: z.int().nonnegative().describe('bytes') })),
    gone: z.array(id).describe('Became files that have been replaced or deleted for good since'),
  }),
})

/** A path that is there: `relativePath` may be left out. */
const folderPath = relativePath.transform((parts, check) => {
  if (parts) return parts
  check.addIssue({ code: 'custom', message: 'A path cannot be empty.' })
  return z.NEVER
})

export const createFolderPaths = defineCall({
  method: 'POST',
  path: '/uploads/folders',
  access: 'user',
  summary: 'Create folders by their paths, with those on the way; what is there already stays',
  input: z.object({
    parentFolderId: folderIdOrRoot,
    folderPaths: z.array(folderPath).min(1).max(MAX_FOLDER_PATHS),
    isEncrypted: flag,
  }),
  output: z.object({ message: z.string(), count: z.int().nonnegative().describe('How many were created') }),
  status: 201,
})
