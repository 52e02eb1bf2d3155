import { z } from 'zod'
import { getThumbnail } from './bytes.ts'
import { defineCall } from './call.ts'
import { LINK_PASSWORD_TOO_LONG } from './credentials.ts'
import { count, folderIdOrRoot, id, partIndex, segmentWay, time, vaultCheck } from './fields.ts'
import { item, pathStep } from './items.ts'
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE, MAX_PASSWORD_LENGTH } from './limits.ts'
import { link, linkPassword } from './links.ts'
import { MINUTE, PASSWORD_CALLS } from './rate-limits.ts'
import { fileRequest } from './submissions.ts'

/** A public link as its owner sees it. */
const publicLink = z.object({
  link: z.url(),
  enabled: z.boolean(),
  hasPassword: z.boolean(),
  expiresAt: time.nullable().describe("After this time the link responds as if it didn't exist; null for never"),
  downloadCount: z.int().nonnegative().describe('Started downloads, without previews'),
})
export type PublicLink = z.infer<typeof publicLink>

export const getPublicLink = defineCall({
  method: 'GET',
  path: '/public-link/{id}',
  access: 'user',
  summary: "Get an item's public link. It is created disabled on the first request, and never changes",
  input: z.object({ id }),
  output: publicLink,
})

export const updatePublicLink = defineCall({
  method: 'POST',
  path: '/public-link/{id}',
  access: 'user',
  summary: 'Enable or disable a public link, and set its password and expiry. Omitted fields stay unchanged',
  input: z.object({
    id,
    enabled: z.boolean(),
    password: linkPassword.nullable().optional().describe('null removes it'),
    expiresAt: z.iso.datetime({ offset: true }).nullable().optional().describe('null for never'),
  }),
  output: publicLink,
})

export const revokePublicLink = defineCall({
  method: 'DELETE',
  path: '/public-link/{id}',
  access: 'user',
  summary: 'Disable a public link. Enabling it again restores the same link',
  input: z.object({ id }),
  output: publicLink,
})

/** A public link with what it shares. */
const sharedItem = link.extend({
  item,
  path: z.string().describe("The item's own path, for example `/Photos/2024/a.jpg`"),
  isEncrypted: z.boolean().describe('The item is in the vault'),
  sharedAt: time.describe('When the link was enabled or, if it is disabled, created'),
})
export type SharedItem = z.infer<typeof sharedItem>

export const listPublicLinks = defineCall({
  method: 'GET',
  path: '/public-links',
  access: 'user',
  summary:
    'List a page of all public links, newest first: those that work and those that don’t any more, without first links that are disabled',
  input: z.object({
    limit: count.pipe(z.int().min(1).max(MAX_PAGE_SIZE)).default(DEFAULT_PAGE_SIZE),
    cursor: z.string().max(100).optional().describe('The `nextCursor` of the previous page'),
  }),
  output: z.object({
    links: z.array(sharedItem),
    nextCursor: z.string().nullable().describe('null on the last page'),
    total: z.int().nonnegative().describe('The number of items on all pages'),
  }),
})

export const revokePublicLinks = defineCall({
  method: 'DELETE',
  path: '/public-links',
  access: 'user',
  summary: 'Disable all public links, including those of trashed items',
  input: z.object({}),
  output: z.object({ message: z.string(), count: z.int().nonnegative() }),
})

const publicFile = z.object({
  id,
  filename: z.string(),
  name: z.string(),
  type: z.literal('file'),
  mimeType: z.string(),
  size: z.int().nonnegative().describe('bytes'),
  modifiedAt: time.describe("The file's own modification date"),
  createdAt: time,
  updatedAt: time,
  isEncrypted: z.boolean().describe('The bytes are ciphertext that only the passphrase decrypts'),
  vaultCheck: vaultCheck.optional().describe('For encrypted files that were uploaded with a check value'),
})
/** A file as visitors see it, without anything about its owner. */
export type PublicFile = z.infer<typeof publicFile>

const publicFolder = z.object({
  id,
  name: z.string(),
  type: z.literal('folder'),
  createdAt: time,
  updatedAt: time,
  isEncrypted: z.boolean(),
})
/** A folder as visitors see it. */
export type PublicFolder = z.infer<typeof publicFolder>

/** What a link allows, in every response about it. */
const canDownload = z.boolean().describe('Otherwise files can only be viewed')
const canPreview = z.boolean().describe('False if the number of downloads is limited: a preview would be one')
/** The owner, in every response about a link. */
const sharedBy = z.string().optional().describe("The owner's display name, if set")

/** A shared file itself, rather than one inside a shared folder. */
const sharedFile = publicFile.extend({ sharedBy, canDownload, canPreview })
export type SharedFile = z.infer<typeof sharedFile>

const publicFolderContents = publicFolder.extend({
  sharedBy,
  canDownload,
  canPreview,
  upload: fileRequest.optional().describe('Present if visitors may also send files'),
  path: z.array(pathStep).describe('The folders from the shared one to this one, topmost first, without this one'),
  contents: z
    .object({ folders: z.int(), files: z.int(), size: z.int().describe('bytes') })
    .describe('The contents of the folder at any depth'),
  subFolders: z.array(publicFolder),
  files: z.array(publicFile),
})
export type PublicFolderContents = z.infer<typeof publicFolderContents>

/** A link that asks for files and shows nothing of the folder that gets them. */
const publicRequest = fileRequest.extend({ type: z.literal('request'), sharedBy })
export type PublicRequest = z.infer<typeof publicRequest>

const token = z.string()
/** The `access` that `/unlock` returned, for a link with a password. */
const access = z.string().max(200).optional()
const version = z
  .string()
  .max(100)
  .optional()
  .describe("The file's `updatedAt`, so that a browser doesn't combine what it has cached of two versions")
/** An item inside the shared folder. Defaults to the shared item itself. */
const idInside = folderIdOrRoot

export const getPublicItem = defineCall({
  method: 'GET',
  path: '/public/{token}',
  access: 'public',
  summary: 'Get the file or folder that a public link shares, or what it asks for',
  input: z.object({ token, access }),
  output: z.discriminatedUnion('type', [sharedFile, publicFolderContents, publicRequest]),
})

export const getPublicFolder = defineCall({
  method: 'GET',
  path: '/public/{token}/folder/{id}',
  access: 'public',
  summary: 'Get a folder inside a shared folder',
  input: z.object({ token, id, access }),
  output: publicFolderContents,
})

export const getPublicContent = defineCall({
  method: 'GET',
  path: '/public/{token}/content',
  access: 'public',
  summary: 'Download a shared file, a shared folder as a ZIP or, with `id`, an item inside it',
  input: z.object({
    token,
    id: idInside,
    access,
    v: version,
    download: z.string().max(10).optional().describe('`1` saves the file and counts a download'),
  }),
  output: z.undefined(),
  responseType: 'bytes',
})

export const getPublicThumbnail = defineCall({
  method: 'GET',
  path: '/public/{token}/thumbnail',
  access: 'public',
  summary: 'Get a thumbnail of a shared file as WebP or, with `id`, of a file inside a shared folder',
  input: z.object({ token, id: idInside, access, v: version, size: getThumbnail.input.shape.size }),
  output: z.undefined(),
  responseType: 'bytes',
})

export const getPublicPlayback = defineCall({
  method: 'GET',
  path: '/public/{token}/playback',
  access: 'public',
  summary: "Get how a shared file plays in a browser that can't play it directly",
  input: z.object({ token, id: idInside, access }),
  output: z.object({
    ways: z.array(segmentWay).describe('The available playlists, best first'),
  }),
  rateLimit: { points: 120, seconds: MINUTE },
})

export const getPublicPlaylist = defineCall({
  method: 'GET',
  path: '/public/{token}/playlist',
  access: 'public',
  summary: 'Get an HLS playlist of a shared file',
  input: z.object({ token, id: idInside, access, way: segmentWay }),
  output: z.undefined(),
  responseType: 'bytes',
})

export const getPublicSegment = defineCall({
  method: 'GET',
  path: '/public/{token}/segments/{index}',
  access: 'public',
  summary: 'Get a segment of a shared file as H.264 and AAC in MPEG-TS, made on demand',
  input: z.object({ token, id: idInside, access, way: segmentWay, index: partIndex }),
  output: z.undefined(),
  responseType: 'bytes',
  rateLimit: { points: 300, seconds: MINUTE },
})

export const unlockPublicLink = defineCall({
  method: 'POST',
  path: '/public/{token}/unlock',
  access: 'public',
  summary: 'Unlock a link with its password. Returns `access`, which the other calls take for a limited time',
  input: z.object({ token, password: z.string().max(MAX_PASSWORD_LENGTH, LINK_PASSWORD_TOO_LONG) }),
  output: z.object({ access: z.string(), expiresAt: time }),
  rateLimit: PASSWORD_CALLS,
})
