import type { Context } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { type AuditActor, noteAudit } from '../../audit/index.ts'
import { setRole } from '../administrators/roles.ts'
import type { Person } from './claims.ts'

/** Gives the user the role and the quota that the provider decides, at each sign-in. */
export async function applyClaims(ctx: Context, tx: Tx, userId: string, person: Person): Promise<void> {
  const { quota, isAdmin } = person
  if (typeof quota === 'number') {
    const own = { own_quota: quota, allocated_bytes: quota }
    await tx.updateTable('users').set(own).where('id', '=', userId).execute()
  }
  if (isAdmin !== undefined) await applyRole(ctx, tx, userId, { ...person, isAdmin })
}

async function applyRole(
  ctx: Context,
  tx: Tx,
  userId: string,
  { isAdmin, provider }: Person & { isAdmin: boolean },
): Promise<void> {
  const { site_role: before, email } = await tx
    .selectFrom('users')
    .select(['site_role', 'email'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const after = isAdmin ? 'admin' : 'user'
  if (before === after) return
  try {
    await setRole(tx, userId, after)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    ctx.log.warn(
      { provider, account: email },
      'the only administrator keeps the role, although the provider takes it away',
    )
    return
  }
  const actor: AuditActor = { via: 'session', actor_id: userId, actor: email, ip: ctx.ip }
  await noteAudit(ctx, tx, actor, { action: 'user.role', target: email, details: { before, after, provider } })
}
