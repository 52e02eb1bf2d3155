import type { UserContext } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { moveToTrash } from '../deletion-guard/move-to-trash.ts'
import { copyInto } from './copy-items.ts'
import { getOwnTarget } from './into-folder.ts'
import { assertNotIntoThemselves } from './move-items.ts'
import { assertNoFailures, type ChosenItem } from './selection.ts'

/**
 * Moves items into a folder of another tree, or of another shared folder: copies them there and moves the originals to the trash of
 * their owner, who can restore them with their versions and links. Returns the ids of the copies, in the order of the items. Both
 * trees must be locked.
 */
export async function moveAcross(
  tx: Tx,
  ctx: UserContext,
  items: readonly ChosenItem[],
  { targetFolderId, onConflict }: { targetFolderId: string | undefined; onConflict: 'fail' | 'keepBoth' },
): Promise<string[]> {
  const mounts = items.filter(({ mount_of }) => mount_of !== null)
  assertNoFailures(mounts.map(({ id, name }) => ({ itemId: id, name, refusal: onlyInOwnTree() })))
  const to = { ...ctx, user: ctx.target ?? ctx.user }
  const target = await getOwnTarget(tx, to.user, targetFolderId, items)
  assertNotIntoThemselves(target, items)
  const copies = await copyInto(tx, to, target, items, onConflict, ctx.clock.now(), 'added')
  await moveToTrash(ctx, tx, items)
  return copies
}

function onlyInOwnTree(): AppError {
  return new AppError('state_conflict', 'A shared folder can’t be moved into another shared folder.')
}
