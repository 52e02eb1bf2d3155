import { calls } from '@alcove/contract/calls'
import { formatTime } from '../../platform/format.ts'
import { endpoint } from '../../platform/http/api.ts'
import { breakLocks, getOwnItemOrRoot, type Lock, listLocks, nameOf } from '../items/index.ts'

export const listItemLocks = endpoint(calls.listItemLocks, async (ctx, { id }) => {
  const item = await getOwnItemOrRoot(ctx.db, ctx.user, id)
  const locks = (await listLocks(ctx, [item.id])).get(item.id) ?? []
  return { locks: locks.map(presentLock) }
})

/** Repeating it is no error. */
export const breakItemLocks = endpoint(calls.breakItemLocks, async (ctx, { id }) => {
  const count = await breakLocks(ctx, id)
  return { message: count === 0 ? 'Not locked.' : 'Unlocked.', count }
})

/** Returns a lock without its token, with which an app could change what it locks. */
function presentLock(lock: Lock) {
  return {
    itemId: lock.itemId,
    name: nameOf(lock),
    type: lock.kind,
    scope: lock.scope,
    app: lock.app,
    createdAt: formatTime(lock.createdAt),
    expiresAt: formatTime(lock.expiresAt),
  }
}
