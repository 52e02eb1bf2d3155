import type { Services } from '../../../context.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { UserRow } from '../../../platform/db/tables.ts'
import { queueMail } from '../mails.ts'
import { endSessions, revokeGrants } from '../sessions/sessions.ts'
import { leaveGroups } from '../single-sign-on/group-memberships.ts'
import { endChallenges } from '../two-factor/two-factor.ts'

/**
 * Suspends an account. Everything that belongs to it stops working at once, because each door asks for `suspended_at`: sessions, app
 * passwords, signed URLs, public links, shared folders. The rows stay, so that links and app passwords work again afterwards. Sessions
 * stay only to say why they don't work. The user's row must be locked.
 */
export async function suspend(
  services: Pick<Services, 'jobs'>,
  tx: Tx,
  { id, suspended_at }: UserRow,
  now: number,
): Promise<void> {
  await tx
    .updateTable('users')
    .set({ suspended_at: suspended_at ?? now, suspended_for_deletion: 0 })
    .where('id', '=', id)
    .execute()
  await endPendingAccess(services, tx, id, now)
}

/** Ends the suspension, and with it the sessions from before. The user's row must be locked. */
export async function unsuspend(tx: Tx, userId: string, now: number): Promise<void> {
  await tx
    .updateTable('users')
    .set({ suspended_at: null, suspended_for_deletion: 0 })
    .where('id', '=', userId)
    .execute()
  await endSessions(tx, userId, now)
}

/** Suspends an account until it is deleted, and queues a mail that says when. The user's row must be locked. */
export async function scheduleDeletion(
  services: Pick<Services, 'jobs'>,
  tx: Tx,
  { id, suspended_at, suspended_for_deletion }: UserRow,
  { now, dueAt }: { now: number; dueAt: number },
): Promise<void> {
  await tx
    .updateTable('users')
    .set({
      deletion_due_at: dueAt,
      suspended_at: suspended_at ?? now,
      suspended_for_deletion: suspended_at === null ? 1 : suspended_for_deletion,
    })
    .where('id', '=', id)
    .execute()
  await endPendingAccess(services, tx, id, now)
  await queueMail(services, tx, 'deletion mail', id, { dueAt })
}

/** Keeps an account, which is then suspended only if it was before, and queues a mail about it. The user's row must be locked. */
export async function cancelDeletion(
  services: Pick<Services, 'jobs'>,
  tx: Tx,
  { id, suspended_for_deletion }: UserRow,
  now: number,
): Promise<void> {
  await tx.updateTable('users').set({ deletion_due_at: null }).where('id', '=', id).execute()
  if (suspended_for_deletion === 1) await unsuspend(tx, id, now)
  await queueMail(services, tx, 'deletion canceled mail', id, {})
}

/**
 * Ends what could give access later: signed URLs, links to reset the password, and sign-ins that wait for a code. Groups of providers end
 * too; the next sign-in through the provider brings them back.
 */
async function endPendingAccess(services: Pick<Services, 'jobs'>, tx: Tx, userId: string, now: number): Promise<void> {
  await leaveGroups(services, tx, userId)
  await revokeGrants(tx, userId, now)
  await endChallenges(tx, userId)
  await tx.deleteFrom('one_time_tokens').where('user_id', '=', userId).where('kind', '=', 'reset').execute()
}
