import { z } from 'zod'
import { defineCall } from './call.ts'
import { LINK_PASSWORD_EMPTY, LINK_PASSWORD_TOO_LONG } from './credentials.ts'
import { done, id, time } from './fields.ts'
import {
  MAX_FILE_TYPES,
  MAX_LABEL_LENGTH,
  MAX_LINK_MESSAGE_LENGTH,
  MAX_LINK_TITLE_LENGTH,
  MAX_PASSWORD_LENGTH,
} from './limits.ts'

/**
 * What visitors may do: view and download; view only; upload only, without seeing anything; or all of it. Uploads need a folder of
 * the drive.
 */
export const linkRights = ['view', 'preview', 'upload', 'view-upload'] as const
export type LinkRight = (typeof linkRights)[number]
const right = z
  .enum(linkRights)
  .describe('`view` also downloads, `preview` does not. `upload` shows nothing of the folder, `view-upload` all of it')

/** Whether visitors who send files give a name. */
export const visitorNames = ['none', 'optional', 'required'] as const
export type VisitorName = (typeof visitorNames)[number]
export const visitorNameRule = z.enum(visitorNames).describe('Whether visitors who send files give a name')

/** Whether a link works and, if not, why. */
export const linkStates = ['active', 'disabled', 'expired', 'used up', 'full'] as const
export type LinkState = (typeof linkStates)[number]

/** A link's password. The owner chooses how strong it is. */
export const linkPassword = z.string().min(1, LINK_PASSWORD_EMPTY).max(MAX_PASSWORD_LENGTH, LINK_PASSWORD_TOO_LONG)

const limit = z.int().positive().nullable().describe('null for no limit')
const fileTypes = z.array(z.string())

/** One of the links of an item as its owner sees it. */
export const link = z.object({
  id,
  link: z.url(),
  isFirst: z.boolean().describe('The link of `/public-link/{id}`, which lasts as long as the item'),
  label: z.string(),
  right,
  enabled: z.boolean(),
  state: z
    .enum(linkStates)
    .describe('`used up`: the download limit is reached. `full`: the limit of files or bytes is'),
  hasPassword: z.boolean(),
  expiresAt: time.nullable(),
  createdAt: time,
  downloadCount: z.int().nonnegative().describe('Started downloads, without previews'),
  maxDownloads: limit,
  title: z.string().nullable(),
  message: z.string().nullable(),
  visitorName: visitorNameRule,
  folderPerVisitor: z.boolean(),
  maxBytes: limit,
  maxFileBytes: limit,
  maxFiles: limit,
  fileTypes: fileTypes.describe('The allowed extensions; empty for all'),
  receivedFiles: z.int().nonnegative().describe('Files that visitors have sent'),
  receivedBytes: z.int().nonnegative(),
})
export type Link = z.infer<typeof link>

const text = (max: number, message: string) =>
  z
    .string()
    .transform((value) => value.trim())
    .refine((value) => [...value].length <= max, message)

const title = text(MAX_LINK_TITLE_LENGTH, `The title can have at most ${MAX_LINK_TITLE_LENGTH} characters.`)
const message = text(MAX_LINK_MESSAGE_LENGTH, `The text can have at most ${MAX_LINK_MESSAGE_LENGTH} characters.`)
const label = text(MAX_LABEL_LENGTH, `The label can have at most ${MAX_LABEL_LENGTH} characters.`)

const extension = z
  .string()
  .transform((value) => value.trim().replace(/^\./, '').toLowerCase())
  .refine((value) => /^[\p{L}\p{N}_+-]{1,20}$/u.test(value), 'A file type is an extension such as pdf.')

/** What the owner sets. Omitted fields stay as they are, or as a new link has them. */
const settings = {
  label: label.optional(),
  right: right.optional(),
  enabled: z.boolean().optional(),
  password: linkPassword.nullable().optional().describe('null removes it'),
  expiresAt: z.iso.datetime({ offset: true }).nullable().optional().describe('null for never'),
  maxDownloads: limit.optional(),
  title: title.nullable().optional().describe('What visitors read who are asked for files'),
  message: message.nullable().optional(),
  visitorName: visitorNameRule.optional(),
  folderPerVisitor: z.boolean().optional().describe('The files of each visitor go into a folder of their own'),
  maxBytes: limit.optional().describe('The bytes that all visitors together may send'),
  maxFileBytes: limit.optional(),
  maxFiles: limit.optional(),
  fileTypes: z.array(extension).max(MAX_FILE_TYPES, `At most ${MAX_FILE_TYPES} file types.`).optional(),
}

export const listItemLinks = defineCall({
  method: 'GET',
  path: '/items/{id}/links',
  access: 'user',
  summary: 'List the public links of an item, the first one first. It is created disabled if it is missing',
  input: z.object({ id }),
  output: z.object({ links: z.array(link) }),
})

export const createLink = defineCall({
  method: 'POST',
  path: '/items/{id}/links',
  access: 'user',
  summary: 'Create another public link of an item. It is enabled unless `enabled` is false',
  input: z.object({ id, ...settings }),
  output: link,
  status: 201,
})

export const updateLink = defineCall({
  method: 'PUT',
  path: '/links/{linkId}',
  access: 'user',
  summary: 'Change a public link. Omitted fields stay unchanged',
  input: z.object({ linkId: id, ...settings }),
  output: link,
})

export const deleteLink = defineCall({
  method: 'DELETE',
  path: '/links/{linkId}',
  access: 'user',
  summary: 'Delete a public link for good. The first link of an item can only be disabled. Files that were sent stay',
  input: z.object({ linkId: id }),
  output: done,
})
