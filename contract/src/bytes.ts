import { z } from 'zod'
import { defineCall } from './call.ts'
import { fileName, flag, folderIdOrRoot, id } from './fields.ts'
import { THUMBNAIL_SIZES } from './thumbnails.ts'

const byName = z.object({ filename: fileName, folderId: folderIdOrRoot, isEncrypted: flag })

export const fetchFile = defineCall({
  method: 'GET',
  path: '/fetch-file',
  access: 'user',
  summary: "A file's bytes, for thumbnails and downloads",
  input: byName,
  output: z.undefined(),
  responseType: 'bytes',
})

export const getUserFile = defineCall({
  method: 'GET',
  path: '/user-files/{filename}',
  access: 'user',
  summary: "A file's bytes, for previews",
  input: byName,
  output: z.undefined(),
  responseType: 'bytes',
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
  responseType: 'bytes',
})

export const getThumbnail = defineCall({
  method: 'GET',
  path: '/thumbnail/{id}',
  access: 'user',
  summary:
    'A small WebP of a picture, of the first page of a PDF, of the cover in a piece of music, or, where the server has ffmpeg, of a frame of a video',
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
  responseType: 'bytes',
})
