import type { Services } from '../../../context.ts'
import { AppError, notFound } from '../../../errors.ts'
import { formatTime } from '../../../platform/format.ts'
import {
  assertNotLastAdministrator,
  cancelDeletion,
  deleteUser,
  scheduleDeletion,
  suspend,
  unsuspend,
} from '../../accounts/index.ts'
import { type AuditActor, noteAudit } from '../../audit/index.ts'
import { assertNotSelf, changeUser, type UserChange } from './change-user.ts'

const DAY = 24 * 3600_000

/** Suspends an account: everything that belongs to it stops working at once. */
export function suspendUser(services: Services, { actor, userId }: UserChange): Promise<string> {
  assertNotSelf({ actor, userId })
  return changeUser(
    services,
    userId,
    async (tx, user) => {
      const { email } = user
      if (user.suspended_at !== null && user.suspended_for_deletion === 0) return `${email} was suspended already.`
      await suspend(services, tx, user, services.clock.now())
      await noteAudit(services, tx, actor, { action: 'user.suspended', target: email })
      return `${email} is suspended now.`
    },
    (tx) => assertNotLastAdministrator(tx, userId),
  )
}

/** Ends the suspension of an account. Links, shared folders and app passwords work again; sessions don't. */
export function unsuspendUser(services: Services, { actor, userId }: UserChange): Promise<string> {
  return changeUser(services, userId, async (tx, { email, suspended_at, deletion_due_at }) => {
    if (suspended_at === null) return `${email} is not suspended.`
    if (deletion_due_at !== null) {
      throw new AppError(
        'state_conflict',
        `${email} will be deleted, so it stays suspended. Cancel the deletion first.`,
      )
    }
    await unsuspend(tx, userId, services.clock.now())
    await noteAudit(services, tx, actor, { action: 'user.unsuspended', target: email })
    return `${email} is not suspended any more.`
  })
}

/** Deletes an account after a grace period, in which it is suspended. With 0 days it is deleted now. */
export async function deleteUserAfter(
  services: Services,
  { actor, userId, days }: UserChange & { days: number },
): Promise<{ message: string; dueAt: number | null }> {
  assertNotSelf({ actor, userId })
  if (days === 0) return { message: await deleteNow(services, { actor, userId }), dueAt: null }
  const now = services.clock.now()
  const dueAt = now + days * DAY
  const message = await changeUser(
    services,
    userId,
    async (tx, user) => {
      await scheduleDeletion(services, tx, user, { now, dueAt })
      const details = { dueAt: formatTime(dueAt) }
      await noteAudit(services, tx, actor, { action: 'user.deletion', target: user.email, details })
      return `${user.email} is suspended now and will be deleted on ${formatTime(dueAt).slice(0, 10)}.`
    },
    (tx) => assertNotLastAdministrator(tx, userId),
  )
  return { message, dueAt }
}

async function deleteNow(services: Services, { actor, userId }: UserChange): Promise<string> {
  let email: string | undefined
  await deleteUser(services, userId, {
    note: async (tx, address) => {
      email = address
      await noteAudit(services, tx, actor, { action: 'user.deleted', target: address })
    },
  })
  if (email === undefined) throw notFound('user')
  return `${email} is deleted. The server removes the bytes when it runs.`
}

/** Keeps an account that was going to be deleted. */
export function cancelUserDeletion(services: Services, { actor, userId }: UserChange): Promise<string> {
  return changeUser(services, userId, async (tx, user) => {
    const { email, deletion_due_at, suspended_for_deletion } = user
    if (deletion_due_at === null) return `${email} is not going to be deleted.`
    await cancelDeletion(services, tx, user, services.clock.now())
    await noteAudit(services, tx, actor, { action: 'user.deletion-canceled', target: email })
    return suspended_for_deletion === 1 ? `${email} stays.` : `${email} stays, and is still suspended.`
  })
}

/** The accounts deleted per run. */
const BATCH = 200
const SERVER: AuditActor = { via: 'server', actor_id: null, actor: 'Alcove', ip: null }

/** Deletes the accounts whose grace period has ended. Safe to run at any time. */
export async function deleteDueUsers(services: Services): Promise<void> {
  const { db, clock } = services
  const dueBy = clock.now()
  const due = await db
    .selectFrom('users')
    .select('id')
    .where('deletion_due_at', '<=', dueBy)
    .where('deleted_at', 'is', null)
    .orderBy('deletion_due_at')
    .limit(BATCH)
    .execute()
  for (const { id } of due) {
    await deleteUser(services, id, {
      dueBy,
      note: (tx, email) => noteAudit(services, tx, SERVER, { action: 'user.deleted', target: email }),
    })
  }
}
