import { z } from 'zod'
import { defineCall } from './call.ts'
import { id, time } from './fields.ts'
import { AUDIT_PAGE, MAX_AUDIT_PAGE } from './limits.ts'

/** What administrators do, as it is noted in the audit log. Entries stay, so names never change. */
export const auditActions = [
  'administrator.first',
  'user.role',
  'mail.test',
  'storage.check',
  'user.activated',
  'user.plan',
  'user.quota',
  'user.signed-out',
  'user.two-factor-off',
  'user.suspended',
  'user.unsuspended',
  'user.deletion',
  'user.deletion-canceled',
  'user.deleted',
  'job.retry',
  'job.retry-all',
  'job.discard',
  'site.appearance',
  'site.logo',
  'site.announcement',
  'site.legal',
  'site.maintenance',
  'sign-in.changed',
  'provider.saved',
  'provider.removed',
  'files.import',
  'files.export',
  'backup.start',
  'backup.verify',
  'backup.schedule',
  'settings.sign-up',
  'settings.plans',
  'plans.changed',
  'plans.reset',
  'invitation.created',
  'invitation.resent',
  'invitation.revoked',
] as const
export type AuditAction = (typeof auditActions)[number]

const INVALID_CURSOR = 'Invalid cursor. Start again at the first page.'

const entry = z.object({
  id,
  at: time,
  via: z
    .enum(['session', 'token', 'command', 'setup', 'server'])
    .describe(
      '`command`: the command line; `setup`: the one-time address of the first administrator; `server`: a scheduled job',
    ),
  actor: z.string().describe('The address of the administrator, or the name of whoever ran the command'),
  ip: z.string().nullable(),
  action: z.string().describe('For example `user.role`'),
  target: z.string().nullable().describe('What was changed: the address of a user, the name of a setting'),
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
})
export type AuditEntry = z.infer<typeof entry>

export const listAuditLog = defineCall({
  method: 'GET',
  path: '/admin/audit-log',
  access: 'admin',
  scope: 'admin',
  summary: 'List what administrators have done, newest first',
  input: z.object({
    limit: z
      .union([z.int(), z.string().regex(/^\d{1,6}$/)], 'limit must be a number.')
      .transform(Number)
      .pipe(z.int().min(1, 'limit must be at least 1.').max(MAX_AUDIT_PAGE, `limit can be at most ${MAX_AUDIT_PAGE}.`))
      .default(AUDIT_PAGE),
    cursor: z
      .string(INVALID_CURSOR)
      .regex(/^\d{1,15}\.[\da-f-]{36}$/, INVALID_CURSOR)
      .optional()
      .describe('`nextCursor` of the page before'),
  }),
  output: z.object({
    entries: z.array(entry),
    nextCursor: z.string().nullable().describe('Null on the last page'),
  }),
})
