import type { Tx } from '../../platform/db/database.ts'
import { yieldingTransaction } from '../../platform/db/yielding-transaction.ts'
import { noteNewNames } from '../search/index.ts'
import { lockTree } from './change-tree.ts'
import { announceChange, type TreeContext } from './tree-version.ts'

/**
 * Runs a change of the user's trees, and of those of others, in a transaction. It locks them in the order of the users' ids, so that two
 * such changes never wait for each other. Unlike with `changeTree` and `changeTrees`, `change` may lock memberships and uploads, which
 * others lock before the trees, so it gives way. After the commit, the tabs of these users are told.
 */
export async function changeGivingWay<T>(
  { db, events, user }: TreeContext,
  otherIds: readonly string[],
  change: (tx: Tx) => Promise<T>,
): Promise<T> {
  let used: Tx | undefined
  const result = await yieldingTransaction(db, async (tx) => {
    used = tx
    for (const id of [user.id, ...otherIds].toSorted()) await lockTree(tx, id)
    return change(tx)
  })
  for (const changed of [user, ...otherIds.map((id) => ({ id }))]) {
    noteNewNames(db, changed.id)
    if (used) announceChange({ db, events }, used, [changed])
  }
  return result
}
