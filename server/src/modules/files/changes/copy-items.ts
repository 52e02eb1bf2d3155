import { calls } from '@alcove/contract/calls'
import { endpoint } from '../../../platform/http/api.ts'
import {
  admitCopies,
  assertMayAddTo,
  changeTrees,
  copyInto,
  getOwnTarget,
  keepTopmost,
  listChosen,
  presentChanged,
} from '../../items/index.ts'

/** Returns the copies, without the items below them. */
export const copyItems = endpoint(calls.copyItems, async (ctx, { targetFolderId, onConflict, ...selection }) => {
  await admitCopies(ctx, await keepTopmost(ctx.db, await listChosen(ctx.db, ctx.user, selection)))
  const to = { ...ctx, user: ctx.target ?? ctx.user }
  const itemIds = await changeTrees(ctx, async (tx) => {
    const items = await keepTopmost(tx, await listChosen(tx, ctx.user, selection))
    const target = await getOwnTarget(tx, to.user, targetFolderId, items)
    assertMayAddTo(target.area, to.user)
    return copyInto(tx, to, target, items, onConflict, ctx.clock.now())
  })
  return presentChanged(itemIds, 'copied')
})
