import { calls } from '@alcove/contract/calls'
import { INVITATIONS_PAGE, type ServerInvitation } from '@alcove/contract/invitations'
import type { Services } from '../../../context.ts'
import type { InvitationRow } from '../../../platform/db/tables.ts'
import { formatTime } from '../../../platform/format.ts'
import { endpoint } from '../../../platform/http/api.ts'
import {
  addInvitation,
  deleteInvitation,
  invitationUrl,
  renewInvitation,
  sendInvitations,
} from '../../accounts/index.ts'
import { actorOf } from '../../audit/index.ts'

export const listInvitations = endpoint(calls.listInvitations, async (ctx, { cursor }) => {
  let page = ctx.db.selectFrom('invitations').selectAll()
  // The ids are in the order of their creation.
  if (cursor !== undefined) page = page.where('id', '<', cursor)
  const rows = await page
    .orderBy('id', 'desc')
    .limit(INVITATIONS_PAGE + 1)
    .execute()
  const shown = rows.slice(0, INVITATIONS_PAGE)
  return {
    invitations: shown.map((row) => presentInvitation(ctx, row)),
    nextCursor: rows.length > INVITATIONS_PAGE ? (shown.at(-1)?.id ?? null) : null,
    sendsMail: ctx.config.smtpUrl !== undefined,
  }
})

export const createInvitation = endpoint(calls.createInvitation, async (ctx, invited) => {
  const row = await addInvitation(ctx, actorOf(ctx), invited)
  await sendInvitations(ctx)
  return presentInvitation(ctx, row)
})

export const resendInvitation = endpoint(calls.resendInvitation, async (ctx, { id }) => {
  const row = await renewInvitation(ctx, actorOf(ctx), id)
  await sendInvitations(ctx)
  return presentInvitation(ctx, row)
})

export const revokeInvitation = endpoint(calls.revokeInvitation, async (ctx, { id }) => {
  await deleteInvitation(ctx, actorOf(ctx), id)
  return { message: 'The invitation was taken back.' }
})

function presentInvitation(services: Services, row: InvitationRow): ServerInvitation {
  return {
    id: row.id,
    email: row.email,
    role: row.role,
    planId: row.plan_id ?? 0,
    quota: row.quota,
    invitedBy: row.invited_by,
    createdAt: formatTime(row.created_at),
    expiresAt: formatTime(row.expires_at),
    isExpired: row.expires_at <= services.clock.now(),
    url: invitationUrl(services, row.id),
  }
}
