import { z } from 'zod'
import { defineCall } from './call.ts'
import { done, id, time, vaultCheck } from './fields.ts'
import { file } from './items.ts'
import { MAX_VERSION_NAME_LENGTH, MAX_VERSIONS_LISTED } from './limits.ts'

/** Earlier bytes of a file. */
const version = z.object({
  id,
  size: z.int().nonnegative().describe('bytes'),
  sha256: z.string().nullable().describe('In hexadecimal; null until it has been computed'),
  modifiedAt: time.describe("The file's own date"),
  createdAt: time.describe('When these bytes were replaced'),
  author: z.string().describe('Who replaced them'),
  device: z.string().describe('The device or app that replaced them, for example `Chrome on Windows`'),
  name: z.string().nullable().describe('Named versions are never removed automatically'),
  isDamaged: z.boolean().describe('The stored bytes are missing or damaged'),
  vaultCheck: vaultCheck.optional().describe('For versions of vault files that were uploaded with a check value'),
})
export type Version = z.infer<typeof version>

const CONTROL_OR_DIRECTION = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u
const NAME_TOO_LONG = `A version's name can have at most ${MAX_VERSION_NAME_LENGTH} characters.`

/** The name of a version. Nothing and an empty text remove it. */
const versionName = z
  .string('Enter a name for this version.')
  // Far longer than any name, and short enough to normalize cheaply.
  .max(1000, NAME_TOO_LONG)
  .nullable()
  .transform((text) => text?.normalize('NFC').trim() || null)
  .refine((text) => text === null || [...text].length <= MAX_VERSION_NAME_LENGTH, { error: NAME_TOO_LONG })
  .refine((text) => text === null || !CONTROL_OR_DIRECTION.test(text), {
    error: "A version's name can't contain control characters or text direction marks.",
  })

const versionOfFile = z.object({ id, versionId: id })

export const listVersions = defineCall({
  method: 'GET',
  path: '/file/{id}/versions',
  access: 'user',
  scope: 'read',
  forMembers: 'viewer',
  summary: 'List the earlier versions of a file, newest first, without the current one',
  input: z.object({
    id,
    limit: z
      .union([z.int(), z.string().regex(/^\d{1,6}$/)])
      .transform(Number)
      .pipe(z.int().min(1).max(MAX_VERSIONS_LISTED, `limit can be at most ${MAX_VERSIONS_LISTED}.`))
      .default(MAX_VERSIONS_LISTED),
    cursor: z
      .string()
      .regex(/^\d{1,15}$/, 'Invalid cursor. Start again at the first page.')
      .optional()
      .describe('`nextCursor` of the page before'),
  }),
  output: z.object({
    versions: z.array(version),
    total: z.int().nonnegative(),
    nextCursor: z.string().nullable(),
    currentName: z.string().nullable().describe('The name of the current bytes, if they were a named version'),
  }),
})

export const restoreVersion = defineCall({
  method: 'POST',
  path: '/file/{id}/versions/{versionId}/restore',
  access: 'user',
  scope: 'write',
  forMembers: 'editor',
  summary: 'Make an earlier version the current one. The current bytes become a version',
  input: versionOfFile,
  output: file.extend({
    replacedVersionId: id.nullable().describe('The version that the bytes before became. Restore it to undo'),
  }),
})

export const renameVersion = defineCall({
  method: 'PUT',
  path: '/file/{id}/versions/{versionId}',
  access: 'user',
  scope: 'write',
  summary: 'Name a version, so that it is never removed automatically, or remove its name',
  input: versionOfFile.extend({ name: versionName }),
  output: version,
})

export const deleteVersion = defineCall({
  method: 'DELETE',
  path: '/file/{id}/versions/{versionId}',
  access: 'user',
  summary: 'Delete a version permanently',
  input: versionOfFile,
  output: done,
})

export const deleteVersions = defineCall({
  method: 'DELETE',
  path: '/versions',
  access: 'user',
  summary: 'Delete all earlier versions of all files permanently, except named ones',
  input: z.object({}),
  output: done.extend({
    freedBytes: z.int().nonnegative().describe('What was freed before the response; very many versions follow later'),
  }),
})
