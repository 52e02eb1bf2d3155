import { z } from 'zod'
import { getThumbnail } from './bytes.ts'
import { defineCall } from './call.ts'
import { count, folderIdOrRoot, id, partIndex, segmentWay, time, vaultCheck } from './fields.ts'
import { item, pathStep } from './items.ts'
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE, MAX_PASSWORD_LENGTH } from './limits.ts'

const PASSWORD_EMPTY = 'The password cannot be empty.'
const PASSWORD_TOO_LONG = `The password can have at most ${MAX_PASSWORD_LENGTH} characters.`

/** A link's password: whoever shares chooses how strong it is. */
export const linkPassword = z.string().min(1, PASSWORD_EMPTY).max(MAX_PASSWORD_LENGTH, PASSWORD_TOO_LONG)

/** A public link as its owner sees it. */
const publicLink = z.object({
  link: z.url(),
  enabled: z.boolean(),
  hasPassword: z.boolean(),
  expiresAt: time.nullable().describe('From then on the link answers as if it did not exist; null for never'),
  downloadCount: z.int().nonnegative().describe('Downloads that were started; previews do not count'),
})
export type PublicLink = z.infer<typeof publicLink>

export const getPublicLink = defineCall({
  method: 'GET',
  path: '/public-link/{id}',
  access: 'user',
  summary: "An item's public link; it is made when first asked for, disabled, and stays the same",
  input: z.object({ id }),
  output: publicLink,
})

export const updatePublicLink = defineCall({
  method: 'POST',
  path: '/public-link/{id}',
  access: 'user',
  summary: 'Enable or disable a public link, and set its password and expiry; what is left out stays',
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
  summary: 'Disable a public link; enabled again it is the same',
  input: z.object({ id }),
  output: publicLink,
})

/** An enabled public link with what it shares. */
const sharedItem = publicLink.extend({
  item,
  path: z.string().describe("The item's own, like `/Photos/2024/a.jpg`"),
  isEncrypted: z.boolean().describe('The item lies in the vault'),
  sharedAt: time.describe('When the link was enabled'),
})
export type SharedItem = z.infer<typeof sharedItem>

export const listPublicLinks = defineCall({
  method: 'GET',
  path: '/public-links',
  access: 'user',
  summary: 'A page of the public links that are enabled, expired ones too, the latest first',
  input: z.object({
    limit: count.pipe(z.int().min(1).max(MAX_PAGE_SIZE)).default(DEFAULT_PAGE_SIZE),
    cursor: z.string().max(100).optional().describe('The `nextCursor` of the page before'),
  }),
  output: z.object({
    links: z.array(sharedItem),
    nextCursor: z.string().nullable().describe('null on the last page'),
    total: z.int().nonnegative().describe('How many there are on all pages'),
  }),
})

export const revokePublicLinks = defineCall({
  method: 'DELETE',
  path: '/public-links',
  access: 'user',
  summary: 'Disable all public links, those of trashed items too',
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
  createdAt: time,
  updatedAt: time,
  isEncrypted: z.boolean().describe('The bytes are ciphertext that only the passphrase opens'),
  vaultCheck: vaultCheck.optional().describe('Of an encrypted file that was uploaded with one'),
})
/** A file as visitors see it: nothing of its owner. */
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

/** What every response about a link says of its owner. */
const sharedBy = z.string().optional().describe("The owner's display name, where they have set one")

/** A shared file itself, rather than one inside a shared folder. */
const sharedFile = publicFile.extend({ sharedBy })
export type SharedFile = z.infer<typeof sharedFile>

const publicFolderContents = publicFolder.extend({
  sharedBy,
  path: z.array(pathStep).describe('The way from the shared folder to this one, the topmost first; without this one'),
  contents: z
    .object({ folders: z.int(), files: z.int(), size: z.int().describe('bytes') })
    .describe('All that is in the folder, at any depth'),
  subFolders: z.array(publicFolder),
  files: z.array(publicFile),
})
export type PublicFolderContents = z.infer<typeof publicFolderContents>

const token = z.string()
/** What `/unlock` gave, for a link with a password. */
const access = z.string().max(200).optional()
/** An item inside the link; without it the shared item itself is meant. */
const idInside = folderIdOrRoot

export const getPublicItem = defineCall({
  method: 'GET',
  path: '/public/{token}',
  access: 'public',
  summary: 'What a public link shares: a file, or a folder with what is in it',
  input: z.object({ token, access }),
  output: z.discriminatedUnion('type', [sharedFile, publicFolderContents]),
})

export const getPublicFolder = defineCall({
  method: 'GET',
  path: '/public/{token}/folder/{id}',
  access: 'public',
  summary: 'A folder inside a shared one',
  input: z.object({ token, id, access }),
  output: publicFolderContents,
})

export const getPublicContent = defineCall({
  method: 'GET',
  path: '/public/{token}/content',
  access: 'public',
  summary: "A shared file's bytes, or a shared folder's ZIP; with `id` those of an item inside it",
  input: z.object({
    token,
    id: idInside,
    access,
    download: z.string().max(10).optional().describe('`1`: to be saved, and counted as a download'),
  }),
  output: z.undefined(),
  responseType: 'bytes',
})

export const getPublicThumbnail = defineCall({
  method: 'GET',
  path: '/public/{token}/thumbnail',
  access: 'public',
  summary: 'A small WebP of a shared file, or with `id` of a file inside a shared folder',
  input: z.object({ token, id: idInside, access, size: getThumbnail.input.shape.size }),
  output: z.undefined(),
  responseType: 'bytes',
})

export const getPublicPlayback = defineCall({
  method: 'GET',
  path: '/public/{token}/playback',
  access: 'public',
  summary: 'How a shared file of sound or pictures plays in a browser that fails with the file itself',
  input: z.object({ token, id: idInside, access }),
  output: z.object({
    ways: z.array(segmentWay).describe('Of the playlists that there are, the best first; empty for none'),
  }),
})

export const getPublicPlaylist = defineCall({
  method: 'GET',
  path: '/public/{token}/playlist',
  access: 'public',
  summary: 'An HLS playlist of a shared file',
  input: z.object({ token, id: idInside, access, way: segmentWay }),
  output: z.undefined(),
  responseType: 'bytes',
})

export const getPublicSegment = defineCall({
  method: 'GET',
  path: '/public/{token}/segments/{index}',
  access: 'public',
  summary: 'A part that the playlist of a shared file names, as H.264 and AAC in MPEG-TS, made when it is asked for',
  input: z.object({ token, id: idInside, access, way: segmentWay, index: partIndex }),
  output: z.undefined(),
  responseType: 'bytes',
})

export const unlockPublicLink = defineCall({
  method: 'POST',
  path: '/public/{token}/unlock',
  access: 'public',
  summary: "Show a link's password; what comes back opens the other calls for a while, as `access`",
  input: z.object({ token, password: z.string().max(MAX_PASSWORD_LENGTH, PASSWORD_TOO_LONG) }),
  output: z.object({ access: z.string(), expiresAt: time }),
})
