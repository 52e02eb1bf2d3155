import type { Context } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { UserRow } from '../../../platform/db/tables.ts'
import { type AuditActor, noteAudit } from '../../audit/index.ts'
import { setOwnQuota } from '../../billing/index.ts'
import { setRole } from '../administrators/roles.ts'
import type { Person } from './claims.ts'

/** Gives the user the role and the quota that the provider decides, at each sign-in. */
export async function applyClaims(ctx: Context, tx: Tx, userId: string, person: Person): Promise<void> {
  const { quota, isAdmin, provider } = person
  if (typeof quota !== 'number' && isAdmin === undefined) return
  const user = await tx
    .selectFrom('users')
    .select(['id', 'email', 'plan_id', 'site_role'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  if (typeof quota === 'number') await setOwnQuota(ctx, tx, user, quota)
  if (isAdmin !== undefined) await applyRole(ctx, tx, user, { isAdmin, provider })
}

async function applyRole(
  ctx: Context,
  tx: Tx,
  { id, email, site_role: before }: Pick<UserRow, 'id' | 'email' | 'site_role'>,
  { isAdmin, provider }: { isAdmin: boolean; provider: string },
): Promise<void> {
  const after = isAdmin ? 'admin' : 'user'
  if (before === after) return
  try {
    await setRole(tx, id, after)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    ctx.log.warn(
      { provider, account: email },
      'the only administrator keeps the role, although the provider takes it away',
    )
    return
  }
  const actor: AuditActor = { via: 'session', actor_id: id, actor: email, ip: ctx.ip }
  await noteAudit(ctx, tx, actor, { action: 'user.role', target: email, details: { before, after, provider } })
}
