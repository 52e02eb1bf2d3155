import { z } from 'zod'
import { defineCall } from './call.ts'
import { fileName, flag, folderIdOrRoot, id } from './fields.ts'
import { THUMBNAIL_SIZES } from './thumbnails.ts'

const byName = z.object({ filename: fileName, folderId: folderIdOrRoot, isEncrypted: flag })

export const fetchFile = defineCall({
  method: 'GET',
  path: '/fetch-file',
  access: 'user',
  scope: 'read',
  forMembers: 'viewer',
  summary: "Get a file's bytes, for thumbnails and downloads",
  input: byName,
  output: z.undefined(),
  responseType: 'bytes',
})

export const getUserFile = defineCall({
  method: 'GET',
  path: '/user-files/{filename}',
  access: 'user',
  scope: 'read',
  forMembers: 'viewer',
  summary: "Get a file's bytes, for previews",
  input: byName,
  output: z.undefined(),
  responseType: 'bytes',
})

export const getDownloadUrl = defineCall({
  method: 'GET',
  path: '/download-url/{id}',
  access: 'user',
  scope: 'read',
  forMembers: 'viewer',
  summary: 'Get a short-lived URL that downloads a file, an earlier version of a file, or a folder as a ZIP',
  input: z.object({ id, versionId: id.optional() }),
  output: z.object({ url: z.url() }),
})

export const downloadItem = defineCall({
  method: 'GET',
  path: '/download-item/{id}',
  access: 'public',
  summary: 'Download a file or a ZIP, with a URL from `/download-url`',
  input: z.object({
    id,
    owner: id,
    version: id.optional(),
    member: id.optional().describe('The membership for which the URL was signed, in a shared folder'),
    expires: z.string().max(20),
    signature: z.string().max(100),
  }),
  output: z.undefined(),
  responseType: 'bytes',
})

export const getThumbnail = defineCall({
  method: 'GET',
  path: '/thumbnail/{id}',
  access: 'user',
  scope: 'read',
  forMembers: 'viewer',
  summary:
    'Get a thumbnail as WebP: of a picture, the first page of a PDF, the cover of a piece of music or, if the server has ffmpeg, a frame of a video',
  input: z.object({
    id,
    size: z
      .string()
      .default('256')
      .transform(Number)
      .pipe(z.literal(THUMBNAIL_SIZES, `size must be one of ${THUMBNAIL_SIZES.join(', ')}.`))
      .describe('256 and 512 fill a 4:3 box of that width. With 1280, no side is longer'),
    versionId: id.optional().describe('An earlier version of the file'),
    v: z
      .string()
      .max(100)
      .optional()
      .describe("The file's `updatedAt`. If it is current, the response can be cached forever"),
  }),
  output: z.undefined(),
  responseType: 'bytes',
})
