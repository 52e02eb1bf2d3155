import { z } from 'zod'
import { signedIn } from './accounts.ts'
import { grantedPlanId, quota } from './admin-sign-up.ts'
import { defineCall } from './call.ts'
import { done, email, id, newPassword, time } from './fields.ts'
import { HOUR } from './rate-limits.ts'

const NO_INVITATION = 'This invitation is invalid.'
/** From the link of an invitation. */
const token = z.string(NO_INVITATION).max(128, NO_INVITATION)

/** Whoever guesses gets the same response as with an invitation that has expired. */
const rateLimit = { points: 60, seconds: HOUR }

export const checkInvitation = defineCall({
  method: 'POST',
  path: '/sign-up/check-invitation',
  access: 'public',
  summary: 'Get the address that an invitation is for',
  input: z.object({ token }),
  output: z.object({ email: z.string() }),
  rateLimit,
})

export const acceptInvitationToServer = defineCall({
  method: 'POST',
  path: '/sign-up/accept-invitation',
  access: 'public',
  summary: 'Create the account that an invitation is for, activated, and sign in',
  input: z.object({ token, password: newPassword }),
  output: signedIn,
  status: 201,
  rateLimit,
})

const invitation = z.object({
  id,
  email: z.string(),
  role: z.enum(['user', 'admin']),
  planId: z.int().describe('The plan that the account will get without payment; 0 for the free plan'),
  quota: z.number().nullable().describe('The quota that the account will get, in bytes; null for that of its plan'),
  invitedBy: z.string().describe('The address of the administrator, or the name of whoever ran the command'),
  createdAt: time,
  expiresAt: time,
  isExpired: z.boolean(),
  url: z.string().describe('The link in the mail. Whoever has it can create the account'),
})
export type ServerInvitation = z.infer<typeof invitation>

const INVALID_CURSOR = 'Invalid cursor. Start again at the first page.'
export const INVITATIONS_PAGE = 100

export const listInvitations = defineCall({
  method: 'GET',
  path: '/admin/invitations',
  access: 'admin',
  scope: 'admin',
  summary: 'List the invitations that nobody has used yet, newest first',
  input: z.object({
    cursor: z
      .string(INVALID_CURSOR)
      .regex(/^[\da-f-]{36}$/, INVALID_CURSOR)
      .optional()
      .describe('`nextCursor` of the page before'),
  }),
  output: z.object({
    invitations: z.array(invitation),
    nextCursor: z.string().nullable().describe('Null on the last page'),
    sendsMail: z.boolean().describe('Whether the server sends mail. If not, give people their links yourself'),
  }),
})

export const createInvitation = defineCall({
  method: 'POST',
  path: '/admin/invitations',
  access: 'admin',
  scope: 'admin',
  recentSignIn: true,
  summary: 'Invite somebody by mail. The link works once, within 14 days',
  input: z.object({
    email,
    role: z.enum(['user', 'admin'], 'The role must be user or admin.').default('user'),
    planId: grantedPlanId.optional().describe('Without it, the plan of new accounts'),
    quota: quota.nullable().optional().describe('Without it, the quota of the plan'),
  }),
  output: invitation,
  status: 201,
})

export const resendInvitation = defineCall({
  method: 'POST',
  path: '/admin/invitations/{id}/resend',
  access: 'admin',
  scope: 'admin',
  recentSignIn: true,
  summary: 'Send an invitation again. It is valid for another 14 days',
  input: z.object({ id }),
  output: invitation,
})

export const revokeInvitation = defineCall({
  method: 'DELETE',
  path: '/admin/invitations/{id}',
  access: 'admin',
  scope: 'admin',
  summary: 'Take an invitation back. Its link no longer works',
  input: z.object({ id }),
  output: done,
})
