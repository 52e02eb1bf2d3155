import type { UserContext } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { isAmong } from '../../../platform/db/portable-sql.ts'
import { deleteTrashed } from '../bulk/trash.ts'
import { isUnprotected } from './protected-items.ts'

type Deleting = Pick<UserContext, 'user' | 'clock' | 'jobs'>

/**
 * Permanently deletes trashed items because a user or an app wants it, like `deleteTrashed`. Throws 'forbidden' if an app wants to
 * delete items of a mass deletion, because nothing recovers from that.
 */
export async function deletePermanently(ctx: Deleting, tx: Tx, ids: readonly string[]): Promise<void> {
  if (ctx.user.appPassword) await assertUnprotected(ctx, tx, ids)
  await deleteTrashed(ctx, tx, ctx.user.id, { ids })
}

/** Empties the trash, or deletes these items of it. An app leaves the items of mass deletions there. */
export async function emptyTrashOf(ctx: Deleting, tx: Tx, ids?: readonly string[]): Promise<void> {
  const { user, clock } = ctx
  await deleteTrashed(ctx, tx, user.id, {
    ...(ids && { ids }),
    ...(user.appPassword && { sparingAt: clock.now() }),
  })
}

async function assertUnprotected({ clock }: Deleting, tx: Tx, ids: readonly string[]): Promise<void> {
  const kept = await tx
    .selectFrom('items')
    .select('id')
    .where(isAmong(tx, 'id', ids))
    .where((eb) => eb.not(isUnprotected(clock.now())))
    .limit(1)
    .executeTakeFirst()
  if (!kept) return
  throw new AppError(
    'forbidden',
    'Many files were deleted at once. Only the owner of the account can delete them permanently.',
  )
}
