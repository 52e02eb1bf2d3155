import { z } from 'zod'
import { defineCall } from './call.ts'
import { id, time } from './fields.ts'
import { MAX_NOTICE_PAGE, MAX_NOTICES, NOTICE_PAGE } from './limits.ts'
import { roles } from './roles.ts'

/** The share of the quota, in percent, at which users get a notice. */
export const storageThresholds = [80, 95, 100] as const

export const securityChanges = [
  'two_factor_on',
  'two_factor_off',
  'recovery_codes_renewed',
  'passkey_added',
  'passkey_removed',
  'app_password_created',
  'identity_linked',
  'identity_unlinked',
] as const
/** A change of how a user or an app can sign in. */
export type SecurityChange = (typeof securityChanges)[number]

/** What each kind of notice says. A new kind also needs a line in the server's `kinds.ts` and a sentence in the web. */
const contents = {
  storage: z.object({
    percent: z.literal([...storageThresholds]).describe('The highest threshold that was reached'),
    usedBytes: z.int(),
    allocatedBytes: z.int(),
  }),
  files_received: z.object({
    folderId: id.describe('The folder of the link'),
    folder: z.string().describe('Its name when the file arrived'),
    link: z.string().describe('What the owner calls the link; may be empty'),
    visitor: z.string().nullable().describe('The name that the visitor gave'),
  }),
  share_offered: z.object({
    folder: z.string(),
    from: z.string().describe('The display name or the address of who invites'),
    role: z.enum(roles),
  }),
  shared_storage_full: z.object({
    folderId: id.describe('A folder of the owner that the user may add to'),
    folder: z.string(),
    owner: z.string().describe('Their display name or address'),
  }),
  ownership_offered: z.object({
    folderId: id,
    folder: z.string(),
    from: z.string().describe('The display name or the address of the owner'),
    items: z.int().describe('Files and folders in it, including the trash'),
    bytes: z.int().describe('What they take of the storage, with earlier versions'),
  }),
  ownership_answered: z.object({
    folderId: id,
    folder: z.string(),
    by: z.string().describe('The display name or the address of the member to whom the folder was offered'),
    isAccepted: z.boolean().describe('Whether that member is the owner now'),
  }),
  share_ended: z.object({
    folder: z.string().describe('One of the folders'),
    owner: z.string().describe('The display name or the address of the owner, who has deleted the account'),
  }),
  malware_received: z.object({
    filename: z.string(),
    report: z.string().describe('What the scanner printed'),
  }),
  mass_deletion: z.object({
    app: z
      .string()
      .describe('Who deleted many files: the app, from its user agent (`rclone`), or the address of a member'),
    appPassword: z.string().describe('The name of its app password. Empty for a member'),
    member: z.string().optional().describe('The address, if it was a member of a shared folder'),
  }),
  new_sign_in: z.object({
    device: z.string().describe('For example `Chrome on Windows`'),
    ip: z.string().describe('The address of the last of these sign-ins'),
  }),
  security_change: z.object({
    change: z.enum(securityChanges),
    name: z.string().optional().describe('Of the app password or passkey'),
  }),
}

export type NoticeKind = keyof typeof contents
export const noticeKinds = Object.keys(contents) as [NoticeKind, ...NoticeKind[]]

/** A kind of notice with what it says. */
export type NoticeContent = { [Kind in NoticeKind]: { kind: Kind; data: z.infer<(typeof contents)[Kind]> } }[NoticeKind]
export type NoticeData<Kind extends NoticeKind> = z.infer<(typeof contents)[Kind]>

function noticeOf<Kind extends NoticeKind>(kind: Kind) {
  return z.object({
    id,
    kind: z.literal(kind),
    data: contents[kind],
    count: z
      .int()
      .positive()
      .describe('How many similar events it stands for, such as sign-ins. `data` is that of the last'),
    createdAt: time,
    updatedAt: time.describe('When the last of these events happened'),
    isRead: z.boolean(),
  })
}

const notice = z.discriminatedUnion('kind', [
  noticeOf('storage'),
  noticeOf('files_received'),
  noticeOf('share_offered'),
  noticeOf('shared_storage_full'),
  noticeOf('ownership_offered'),
  noticeOf('ownership_answered'),
  noticeOf('share_ended'),
  noticeOf('malware_received'),
  noticeOf('mass_deletion'),
  noticeOf('new_sign_in'),
  noticeOf('security_change'),
])
export type Notice = z.infer<typeof notice>

const unread = z.int().nonnegative().describe('The number of unread notices')
const INVALID_CURSOR = 'Invalid cursor. Start again at the first page.'

export const listNotices = defineCall({
  method: 'GET',
  path: '/notifications',
  access: 'user',
  summary: 'List the notices of the last 90 days, newest first, and count the unread ones',
  input: z.object({
    limit: z
      .union([z.int(), z.string().regex(/^\d{1,6}$/)], 'limit must be a number.')
      .transform(Number)
      .pipe(
        z.int().min(1, 'limit must be at least 1.').max(MAX_NOTICE_PAGE, `limit can be at most ${MAX_NOTICE_PAGE}.`),
      )
      .default(NOTICE_PAGE),
    cursor: z
      .string(INVALID_CURSOR)
      .regex(/^\d{1,15}\.[\da-f-]{36}$/, INVALID_CURSOR)
      .optional()
      .describe('`nextCursor` of the page before'),
  }),
  output: z.object({
    notices: z.array(notice),
    unread,
    nextCursor: z.string().nullable().describe('Null on the last page'),
  }),
})

export const readNotices = defineCall({
  method: 'POST',
  path: '/notifications/read',
  access: 'user',
  summary: 'Mark some notices as read, or one and all older ones. Repeating it changes nothing',
  input: z
    .object({
      noticeIds: z
        .array(id, 'noticeIds must be a list of ids.')
        .min(1, 'noticeIds must not be empty.')
        .max(MAX_NOTICES, `noticeIds can have at most ${MAX_NOTICES} ids.`)
        .optional()
        .describe('All of them or, if one is unknown, none'),
      upToId: id.optional().describe('Marks this notice and all that were created before it'),
    })
    .refine(({ noticeIds, upToId }) => (noticeIds === undefined) !== (upToId === undefined), {
      error: 'Send either noticeIds or upToId.',
    }),
  output: z.object({ unread }),
})

const mailSettings = z.strictObject(
  Object.fromEntries(noticeKinds.map((kind) => [kind, z.boolean(`${kind} must be true or false.`)])) as Record<
    NoticeKind,
    z.ZodBoolean
  >,
  { error: ({ code }) => (code === 'unrecognized_keys' ? `mail can have: ${noticeKinds.join(', ')}.` : undefined) },
)
export type MailSettings = z.infer<typeof mailSettings>

const noticeSettings = z.object({
  mail: mailSettings.describe('Whether notices of a kind are also sent by mail. All are on at first'),
})

export const getNoticeSettings = defineCall({
  method: 'GET',
  path: '/notification-settings',
  access: 'user',
  summary: 'Get which notices are also sent by mail',
  input: z.object({}),
  output: noticeSettings,
})

export const updateNoticeSettings = defineCall({
  method: 'PUT',
  path: '/notification-settings',
  access: 'user',
  summary:
    'Change which notices are also sent by mail; kinds that are left out stay as they are. ' +
    'Turning off `mass_deletion`, `new_sign_in` or `security_change` needs a recent sign-in',
  input: z.object({ mail: mailSettings.partial() }),
  output: noticeSettings,
})
