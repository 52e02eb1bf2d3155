import { z } from 'zod'
import { defineCall } from './call.ts'
import { errorBody } from './errors.ts'
import {
  count,
  done,
  fileName,
  flag,
  folderIdOrRoot,
  id,
  jsonText,
  lastModified,
  relativePath,
  vaultCheck,
} from './fields.ts'
import { caseTwin, file } from './items.ts'
import {
  MAX_CHUNK_SIZE,
  MAX_CHUNKS,
  MAX_FILES_TOGETHER,
  MAX_FOLDER_PATHS,
  MAX_SMALL_FILE,
  MAX_VERIFIED_UPLOADS,
} from './limits.ts'

/** What to do if the name is taken: keep both, replace the old file, or reject the upload. */
export const onConflict = z.enum(['keepBoth', 'replace', 'fail'])
export type OnConflict = z.infer<typeof onConflict>

/** A file that an upload created. */
const uploadedFile = file.extend({
  thinnedBytes: z.int().positive().optional().describe('The size of the earlier versions that made space for it'),
})
export type UploadedFile = z.infer<typeof uploadedFile>

/** Where an upload goes and what it is called. If `/upload-complete` repeats these fields, its values count. */
const destination = {
  folderId: folderIdOrRoot,
  parentFolderId: folderIdOrRoot,
  relativePath: relativePath.describe('Trip/day 1/a.jpg: its folders are created below parentFolderId'),
  folderPath: relativePath.describe('The directory part of relativePath'),
  isEncrypted: flag.describe('Upload into the vault'),
  onConflict: onConflict.optional().describe('`replace` keeps the old bytes as a version'),
  keepReplaced: flag.describe(
    'With `replace`: keep the old bytes even if the same device stored them less than a minute after others. Apps that save often leave it out',
  ),
  vaultCheck: vaultCheck.optional().describe('Stored with a vault file and returned with it'),
  lastModified: lastModified
    .optional()
    .describe(
      "The file's own modification date, ISO 8601 or milliseconds since 1970. Defaults to the time of the upload",
    ),
}

export const uploadChunk = defineCall({
  method: 'POST',
  path: '/upload-chunk',
  access: 'user',
  scope: 'upload',
  isForVisitors: true,
  forMembers: 'contributor',
  summary: 'Send one chunk of a file. Chunks can arrive in any order and be sent again',
  input: z.object({
    uploadId: id.describe('Created by the client for each file'),
    filename: fileName,
    chunkIndex: count.describe('Counts from 0'),
    totalChunks: count.refine(
      (total) => total >= 1 && total <= MAX_CHUNKS,
      `An upload has 1 to ${MAX_CHUNKS} chunks. Use larger chunks for a larger file.`,
    ),
    totalSize: count
      .optional()
      .describe('Lets the server refuse an upload that exceeds the quota before the first byte'),
    chunkSize: count
      .refine((size) => size >= 1 && size <= MAX_CHUNK_SIZE, 'A chunk has at most 64 MiB.')
      .optional()
      .describe('The size of every chunk but the last, so that chunks can arrive in any order at their final place'),
    complete: flag.describe('Complete the upload in this call if no other chunk is missing'),
    ...destination,
  }),
  output: z.union([
    uploadedFile,
    z.object({ uploadId: id, chunkIndex: z.int(), received: z.int().describe('How many chunks have arrived') }),
  ]),
  requestType: 'multipart',
})

/** One of many small files and its destination. */
const smallFile = z.object({
  uploadId: id.describe('Created by the client for each file'),
  filename: fileName,
  size: count.refine((size) => size <= MAX_SMALL_FILE, 'A file sent together with others can have at most 64 KiB.'),
  ...destination,
})

export type SmallFile = z.input<typeof smallFile>

export const uploadFiles = defineCall({
  method: 'POST',
  path: '/uploads/files',
  access: 'user',
  scope: 'upload',
  isForVisitors: true,
  forMembers: 'contributor',
  summary: 'Send many small files in one request. Each is stored or refused individually',
  input: z.object({
    files: jsonText(z.array(smallFile).min(1).max(MAX_FILES_TOGETHER)).describe(
      'Up to 100 files of at most 1 MiB in total. The chunk holds their bytes one after the other in this order',
    ),
  }),
  output: z.object({
    results: z.array(
      z.object({
        uploadId: id,
        status: z.int().describe('The status that `/upload-chunk` would have returned: 201 if the file was stored'),
        file: uploadedFile.optional().describe('The stored file, also if it was sent before'),
        refusal: errorBody.optional().describe('Why it was not stored'),
      }),
    ),
  }),
  requestType: 'multipart',
})

export const completeUpload = defineCall({
  method: 'POST',
  path: '/upload-complete',
  access: 'user',
  scope: 'upload',
  isForVisitors: true,
  forMembers: 'contributor',
  summary: 'Complete an upload and create the file. Repeating it returns the same file',
  input: z.object({ uploadId: id, filename: fileName.optional(), ...destination }),
  output: uploadedFile,
  status: 201,
})

export const getUpload = defineCall({
  method: 'GET',
  path: '/upload/{uploadId}',
  access: 'user',
  scope: 'upload',
  isForVisitors: true,
  forMembers: 'contributor',
  summary: 'Get which chunks of an upload have arrived, so that it can resume',
  input: z.object({ uploadId: id }),
  output: z.object({
    uploadId: id,
    filename: z.string(),
    totalChunks: z.int(),
    received: z.array(z.int()),
    file: uploadedFile.optional().describe('Present once the upload is complete'),
  }),
})

export const cancelUpload = defineCall({
  method: 'DELETE',
  path: '/upload/{uploadId}',
  access: 'user',
  scope: 'upload',
  isForVisitors: true,
  forMembers: 'contributor',
  summary: 'Cancel an unfinished upload',
  input: z.object({ uploadId: id }),
  output: done,
})

export const verifyUploads = defineCall({
  method: 'POST',
  path: '/uploads/verify',
  access: 'user',
  scope: 'upload',
  isForVisitors: true,
  forMembers: 'contributor',
  summary: 'Get the size of files that uploads have created, to compare it with what was sent, and names to warn of',
  input: z.object({ uploadIds: z.array(id).min(1).max(MAX_VERIFIED_UPLOADS) }),
  output: z.object({
    stored: z.array(
      z.object({ uploadId: id, size: z.int().nonnegative().describe('bytes'), caseTwin: caseTwin.optional() }),
    ),
    gone: z.array(id).describe('Uploads whose files have since been replaced or deleted permanently'),
  }),
})

/** A required path, unlike `relativePath`. */
const folderPath = relativePath.transform((parts, check) => {
  if (parts) return parts
  check.addIssue({ code: 'custom', message: 'A path cannot be empty.' })
  return z.NEVER
})

export const createFolderPaths = defineCall({
  method: 'POST',
  path: '/uploads/folders',
  access: 'user',
  scope: 'upload',
  isForVisitors: true,
  forMembers: 'contributor',
  summary: 'Create folders by their paths, including missing ancestors. Existing folders stay',
  input: z.object({
    parentFolderId: folderIdOrRoot,
    folderPaths: z.array(folderPath).min(1).max(MAX_FOLDER_PATHS),
    isEncrypted: flag,
  }),
  output: z.object({ message: z.string(), count: z.int().nonnegative().describe('How many were created') }),
  status: 201,
})
