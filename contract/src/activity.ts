import { z } from 'zod'
import { defineCall } from './call.ts'
import { id, time } from './fields.ts'
import { ACTIVITY_PAGE, MAX_ACTIVITY_PAGE } from './limits.ts'

/** What can happen to files and folders. `changed` means that a file got other bytes; `deleted` that it left the trash for good. */
export const activityActions = [
  'added',
  'changed',
  'renamed',
  'moved',
  'copied',
  'trashed',
  'restored',
  'deleted',
] as const
export type ActivityAction = (typeof activityActions)[number]

const place = z.object({
  id: id.nullable().describe('Null for the root of the drive'),
  name: z.string().describe('As it was then. Empty for the root of the drive'),
  exists: z.boolean().describe('Whether it can still be opened'),
})

const activity = z.object({
  id,
  action: z.enum(activityActions),
  actor: z.object({
    kind: z.enum(['user', 'visitor', 'server']).describe('`visitor` for someone who uses a public link'),
    name: z
      .string()
      .describe('The display name or address of a user, or the name a visitor gave. Empty if there is none any more'),
    isYou: z.boolean(),
    app: z.string().nullable().describe('The name of the app password, for the owner of the folder only'),
  }),
  count: z
    .int()
    .positive()
    .describe('How many files and folders. One that changes repeatedly may count more than once'),
  folderCount: z.int().nonnegative().describe('How many of them are folders'),
  items: z
    .array(
      z.object({
        id,
        kind: z.enum(['file', 'folder']),
        name: z.string().describe('As it was then'),
        oldName: z.string().optional().describe('The name before it was renamed'),
        exists: z.boolean().describe('Whether it can still be opened'),
        parentId: id.nullable().describe('The folder in which it is now. Null at the root, or if it does not exist'),
      }),
    )
    .describe('The first few of them'),
  folder: place
    .nullable()
    .describe('Where it happened, or where items were moved to. Null if it is not shared with the user'),
  origin: place
    .nullable()
    .describe('From where items were moved. Null if nothing moved, or if it is not shared with the user'),
  beganAt: time,
  lastAt: time.describe('When the last of these changes happened'),
})
export type Activity = z.infer<typeof activity>

const INVALID_CURSOR = 'Invalid cursor. Start again at the first page.'

export const listActivity = defineCall({
  method: 'GET',
  path: '/activity',
  access: 'user',
  scope: 'read',
  forMembers: 'viewer',
  summary:
    'List what happened in the drive, or in a folder and everything below it, in the last 90 days. ' +
    'Similar changes within ten minutes are one entry. Entries that began last come first',
  input: z.object({
    folderId: id.optional().describe('Without it: the whole drive of the user'),
    limit: z
      .union([z.int(), z.string().regex(/^\d{1,6}$/)], 'limit must be a number.')
      .transform(Number)
      .pipe(
        z
          .int()
          .min(1, 'limit must be at least 1.')
          .max(MAX_ACTIVITY_PAGE, `limit can be at most ${MAX_ACTIVITY_PAGE}.`),
      )
      .default(ACTIVITY_PAGE),
    cursor: z
      .string(INVALID_CURSOR)
      .regex(/^\d{1,15}\.[\da-f-]{36}$/, INVALID_CURSOR)
      .optional()
      .describe('`nextCursor` of the page before'),
  }),
  output: z.object({
    activities: z.array(activity),
    nextCursor: z.string().nullable().describe('Null on the last page'),
  }),
})
