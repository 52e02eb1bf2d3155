import { calls } from '@alcove/contract/calls'
import { MAX_COPIED_ITEMS } from '@alcove/contract/limits'
import type { UserContext } from '../../../context.ts'
import { endpoint } from '../../../platform/http/api.ts'
import {
  assertMayAddTo,
  changeTree,
  copyInto,
  countCopies,
  getOwnTarget,
  keepTopmost,
  listChosen,
  presentChanged,
} from '../../items/index.ts'

/** Limits copied items, because each one takes a row, and copies of empty files use no quota. */
const COPIES = { points: MAX_COPIED_ITEMS, seconds: 60 }

/** Returns the copies, without the items below them. */
export const copyItems = endpoint(calls.copyItems, async (ctx, { targetFolderId, onConflict, ...selection }) => {
  await admitCopies(ctx, selection)
  const itemIds = await changeTree(ctx, async (tx) => {
    const items = await keepTopmost(tx, await listChosen(tx, ctx.user, selection))
    const target = await getOwnTarget(tx, ctx.user, targetFolderId, items)
    assertMayAddTo(target.area, ctx.user)
    return copyInto(tx, ctx, target, items, onConflict, ctx.clock.now())
  })
  return presentChanged(itemIds, 'copied')
})

/** Applies the rate limit before the tree is locked, because the counter may be stored on another server. */
async function admitCopies(ctx: UserContext, selection: Parameters<typeof listChosen>[2]): Promise<void> {
  const items = await keepTopmost(ctx.db, await listChosen(ctx.db, ctx.user, selection))
  const copies = Math.min(await countCopies(ctx.db, items), MAX_COPIED_ITEMS)
  if (copies > 0) await ctx.rateLimits.consume('copies', COPIES, ctx.user.id, copies)
}
