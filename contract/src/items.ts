import { z } from 'zod'
import { id, time, vaultCheck } from './fields.ts'
import { MAX_ITEM_COUNT } from './limits.ts'
import { roles } from './roles.ts'

/** A person as the people in a shared folder see each other. */
export const person = z.object({ email: z.string(), displayName: z.string().nullable() })

/** The owner of an item, and the user's role there, in lists that also have what others share with the user. */
export const sharedBy = person
  .extend({ role: z.enum(roles) })
  .optional()
  .describe("In lists of own and shared items: the owner, if somebody shares it, and the user's role there")
export type SharedBy = NonNullable<z.infer<typeof sharedBy>>

/** A file in requests and responses. `name` equals `filename`. */
export const file = z.object({
  id,
  filename: z.string(),
  name: z.string(),
  folder_id: id.nullable().describe('null at the root'),
  type: z.literal('file'),
  mimeType: z.string(),
  size: z.int().nonnegative().describe('bytes'),
  modifiedAt: time.describe("The file's own modification date"),
  createdAt: time,
  updatedAt: time,
  isEncrypted: z.boolean(),
  isFavorite: z.boolean(),
  isShared: z.boolean().describe('The public link is enabled'),
  duration: z.number().optional().describe('seconds, of a video, once its length has been read'),
  isDamaged: z.literal(true).optional().describe('The stored bytes are missing or damaged, as a check has found'),
  sharedBy,
  vaultCheck: vaultCheck.optional().describe('For vault files that were uploaded with a check value'),
})
export type File = z.infer<typeof file>

/** What a mount stands for: a folder that somebody shares, which its member has placed here. */
const mount = z.object({
  memberId: id.describe('The own membership'),
  folderId: id.describe('The shared folder, for the calls that members may make there'),
  role: z.enum(roles),
  owner: person,
})

/** A folder in requests and responses. */
export const folder = z.object({
  id,
  name: z.string(),
  parentId: id.nullable().describe('null at the root'),
  type: z.literal('folder'),
  createdAt: time,
  updatedAt: time,
  isEncrypted: z.boolean().describe('A folder of the vault'),
  isFavorite: z.boolean(),
  isShared: z.boolean().describe('The public link is enabled'),
  sharedBy,
  itemCount: z
    .int()
    .nonnegative()
    .optional()
    .describe(
      `Items directly in the folder, in lists that count them; ${MAX_ITEM_COUNT + 1} means more than ${MAX_ITEM_COUNT}`,
    ),
  mount: mount
    .optional()
    .describe(
      'Only of a shared folder that the user has placed here. It can be renamed, moved, marked and removed by its own id',
    ),
})
export type Folder = z.infer<typeof folder>

export const item = z.discriminatedUnion('type', [file, folder])
export type Item = z.infer<typeof item>

/** Windows and macOS can't store both names in one folder. */
export const caseTwin = z.string().describe('The name of a sibling that differs from the name only in case')

/** An ancestor of a folder, for breadcrumbs. */
export const pathStep = z.object({ id, name: z.string() })
export type PathStep = z.infer<typeof pathStep>
