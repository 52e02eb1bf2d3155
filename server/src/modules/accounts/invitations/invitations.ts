import { INVITATION_TTL } from '@alcove/contract/limits'
import type { Services } from '../../../context.ts'
import { AppError, notFound } from '../../../errors.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { InvitationRow, UserRole } from '../../../platform/db/tables.ts'
import { orderedId } from '../../../platform/ordered-id.ts'
import { type AuditActor, noteAudit } from '../../audit/index.ts'
import { getPlan } from '../../billing/index.ts'
import { emailTaken } from '../registration/register.ts'
import { invitationToServerJob } from './invitation-letter.ts'

interface NewInvitation {
  readonly email: string
  readonly role: UserRole
  /** Undefined for the plan of new accounts. */
  readonly planId?: number
  readonly quota?: number | null
}

/** Invites somebody, and queues the mail if `isMailed`. Throws 409 if the address has an account or an invitation. */
export function addInvitation(
  services: Pick<Services, 'db' | 'config' | 'clock' | 'jobs'>,
  actor: AuditActor,
  { email, role, planId, quota }: NewInvitation,
  isMailed = true,
): Promise<InvitationRow> {
  const now = services.clock.now()
  return services.db.transaction().execute(async (tx) => {
    if (await hasAccount(tx, email)) throw emailTaken()
    await getPlan({ ...services, db: tx }, planId ?? 0)
    const row = await tx
      .insertInto('invitations')
      .values({
        ...{ id: orderedId(), email, role, plan_id: planId ?? null, quota: quota ?? null },
        ...{ invited_by: actor.actor, created_at: now, expires_at: now + INVITATION_TTL },
      })
      .onConflict((conflict) => conflict.column('email').doNothing())
      .returningAll()
      .executeTakeFirst()
    if (!row) {
      throw new AppError('state_conflict', `${email} is invited already. Send the invitation again instead.`)
    }
    if (isMailed) await services.jobs.enqueue(tx, invitationToServerJob, { invitationId: row.id })
    await noteAudit(services, tx, actor, { action: 'invitation.created', target: email, details: { role } })
    return row
  })
}

/** Accounts that were never activated don't count: an invitation replaces them. */
async function hasAccount(tx: Tx, email: string): Promise<boolean> {
  const found = await tx
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .where((eb) => eb.or([eb('confirmed_email', 'is not', null), eb('email_changed_at', 'is not', null)]))
    .executeTakeFirst()
  return found !== undefined
}

/** Extends an invitation, and queues its mail again. */
export function renewInvitation(
  services: Pick<Services, 'db' | 'clock' | 'jobs'>,
  actor: AuditActor,
  id: string,
): Promise<InvitationRow> {
  return services.db.transaction().execute(async (tx) => {
    const row = await tx
      .updateTable('invitations')
      .set({ expires_at: services.clock.now() + INVITATION_TTL })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst()
    if (!row) throw notFound('invitation')
    await services.jobs.enqueue(tx, invitationToServerJob, { invitationId: id })
    await noteAudit(services, tx, actor, { action: 'invitation.resent', target: row.email })
    return row
  })
}

/** Deletes an invitation, so that its link no longer works. */
export function deleteInvitation(
  services: Pick<Services, 'db' | 'clock'>,
  actor: AuditActor,
  id: string,
): Promise<void> {
  return services.db.transaction().execute(async (tx) => {
    const row = await tx.deleteFrom('invitations').where('id', '=', id).returning('email').executeTakeFirst()
    if (!row) throw notFound('invitation')
    await noteAudit(services, tx, actor, { action: 'invitation.revoked', target: row.email })
  })
}

/** How long an invitation that has expired is still listed, so that it can be sent again. */
const LISTED_FOR = 30 * 24 * 3_600_000

/** Deletes invitations that expired a while ago. Safe to run at any time. */
export async function sweepInvitations({ db, clock }: Services): Promise<void> {
  await db
    .deleteFrom('invitations')
    .where('expires_at', '<', clock.now() - LISTED_FOR)
    .execute()
}
