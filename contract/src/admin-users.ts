import { z } from 'zod'
import { defineCall } from './call.ts'
import { done, flag, id, time } from './fields.ts'
import { GIGABYTE, MAX_DELETION_GRACE_DAYS, MAX_USERS_PAGE, USERS_PAGE } from './limits.ts'
import { userSorts, userStates } from './user-states.ts'

export const INVALID_USERS_CURSOR = 'Invalid cursor. Start again at the first page.'

/** The largest quota that fits into a number without rounding. */
const MAX_QUOTA = 8_000_000 * GIGABYTE
const INVALID_QUOTA = 'The quota must be a number of bytes, or null for the quota of the plan.'

const role = z.enum(['user', 'admin'], 'The role must be user or admin.')
const state = z
  .enum(userStates, 'The state must be active, unconfirmed, suspended or deletion.')
  .describe(
    '`unconfirmed`: the address was never confirmed; `deletion`: the account is suspended and will be deleted at `deletionDueAt`',
  )

const listedUser = z.object({
  id,
  email: z.string(),
  displayName: z.string().nullable(),
  state,
  role,
  planId: z.int(),
  planName: z.string(),
  quota: z.number().describe('Bytes'),
  usedBytes: z.number().describe('Includes earlier versions, the trash and the vault'),
  createdAt: time,
  lastSeenAt: time.nullable().describe('When the user last used a session or an app, to within some minutes'),
  deletionDueAt: time.nullable(),
})
export type ListedUser = z.infer<typeof listedUser>

const userDetails = listedUser.extend({
  suspendedAt: time.nullable(),
  isPlanPaid: z.boolean().describe('Whether the user pays for the plan. Such a plan can’t be changed here'),
  ownQuota: z.number().nullable().describe('Null if the quota is that of the plan'),
  planQuota: z.number(),
  versionBytes: z.number().describe('The part of `usedBytes` that earlier versions take'),
  trashedBytes: z.number().describe('The part of `usedBytes` that is in the trash'),
  itemCount: z.int().describe('Files and folders, including the trash and the vault'),
  sessions: z.int(),
  appPasswords: z.int(),
  passkeys: z.int(),
  hasTwoFactor: z.boolean(),
  links: z.int().describe('Public links that are on'),
  sharedFolders: z.int().describe('Folders that the user shares with others'),
  memberships: z.int().describe('Folders that others share with the user'),
})
export type UserDetails = z.infer<typeof userDetails>

const forAdmins = { access: 'admin', scope: 'admin' } as const
const theUser = z.object({ id })

export const listUsers = defineCall({
  ...forAdmins,
  method: 'GET',
  path: '/admin/users',
  summary: 'List, search and sort users',
  input: z.object({
    search: z
      .string()
      .trim()
      .max(254, 'The search text can have at most 254 characters.')
      .optional()
      .describe('A part of the address or of the display name'),
    state: state.optional(),
    role: role.optional(),
    planId: z
      .union([z.int(), z.string().regex(/^\d{1,9}$/)], 'planId must be a number.')
      .transform(Number)
      .optional(),
    sort: z.enum(userSorts, `sort must be one of ${userSorts.join(', ')}.`).default('email'),
    order: z.enum(['asc', 'desc'], 'order must be asc or desc.').default('asc'),
    limit: z
      .union([z.int(), z.string().regex(/^\d{1,6}$/)], 'limit must be a number.')
      .transform(Number)
      .pipe(z.int().min(1, 'limit must be at least 1.').max(MAX_USERS_PAGE, `limit can be at most ${MAX_USERS_PAGE}.`))
      .default(USERS_PAGE),
    cursor: z
      .string(INVALID_USERS_CURSOR)
      .max(600, INVALID_USERS_CURSOR)
      .optional()
      .describe('`nextCursor` of the page before, with the same `sort` and `order`'),
  }),
  output: z.object({
    users: z.array(listedUser),
    total: z.int().nullable().describe('How many users match. Only on the first page'),
    nextCursor: z.string().nullable().describe('Null on the last page'),
  }),
})

export const getUser = defineCall({
  ...forAdmins,
  method: 'GET',
  path: '/admin/users/{id}',
  summary: 'Get what administrators may know about a user: never the names or contents of files',
  input: theUser,
  output: userDetails,
})

export const activateUser = defineCall({
  ...forAdmins,
  method: 'POST',
  path: '/admin/users/{id}/activate',
  summary: 'Activate an account without the mail',
  input: theUser,
  output: done,
})

export const setUserPlan = defineCall({
  ...forAdmins,
  method: 'PUT',
  path: '/admin/users/{id}/plan',
  summary: 'Give a user a plan without payment; 0 is the free plan',
  input: theUser.extend({ planId: z.int('Choose a plan.').min(0, 'Choose a plan.') }),
  output: done,
})

export const setUserQuota = defineCall({
  ...forAdmins,
  method: 'PUT',
  path: '/admin/users/{id}/quota',
  summary: 'Give a user a quota in place of the plan’s',
  input: theUser.extend({
    quota: z
      .int(INVALID_QUOTA)
      .min(0, INVALID_QUOTA)
      .max(MAX_QUOTA, 'The quota can be at most 8,000,000 GB.')
      .nullable()
      .describe('Bytes; null for the quota of the plan'),
  }),
  output: done,
})

export const setUserRole = defineCall({
  ...forAdmins,
  method: 'PUT',
  path: '/admin/users/{id}/role',
  summary: 'Make a user an administrator, or an ordinary user again',
  input: theUser.extend({ role }),
  output: done,
  recentSignIn: true,
})

export const signUserOut = defineCall({
  ...forAdmins,
  method: 'POST',
  path: '/admin/users/{id}/sign-out',
  summary: 'End all sessions of a user',
  input: theUser.extend({ appPasswords: flag.describe('Whether to revoke all app passwords, too') }),
  output: done,
})

export const endUserTwoFactor = defineCall({
  ...forAdmins,
  method: 'DELETE',
  path: '/admin/users/{id}/two-factor',
  summary: 'Turn off two-factor sign-in for a user who lost the app and the recovery codes',
  input: theUser,
  output: done,
  recentSignIn: true,
})

export const suspendUser = defineCall({
  ...forAdmins,
  method: 'POST',
  path: '/admin/users/{id}/suspend',
  summary: 'Suspend an account: sessions, apps, links and shared folders stop working at once',
  input: theUser,
  output: done,
  recentSignIn: true,
})

export const unsuspendUser = defineCall({
  ...forAdmins,
  method: 'POST',
  path: '/admin/users/{id}/unsuspend',
  summary: 'End the suspension of an account',
  input: theUser,
  output: done,
})

const INVALID_DAYS = `The grace period must be a whole number of days from 0 to ${MAX_DELETION_GRACE_DAYS}.`

export const scheduleUserDeletion = defineCall({
  ...forAdmins,
  method: 'POST',
  path: '/admin/users/{id}/deletion',
  summary: 'Delete an account after a grace period in which it is suspended; 0 days delete it now',
  input: theUser.extend({
    days: z.int(INVALID_DAYS).min(0, INVALID_DAYS).max(MAX_DELETION_GRACE_DAYS, INVALID_DAYS).default(30),
  }),
  output: done.extend({ deletionDueAt: time.nullable().describe('Null if the account was deleted now') }),
  recentSignIn: true,
})

export const cancelUserDeletion = defineCall({
  ...forAdmins,
  method: 'DELETE',
  path: '/admin/users/{id}/deletion',
  summary: 'Keep an account that was going to be deleted',
  input: theUser,
  output: done,
})
