import type { Tx } from '../../platform/db/database.ts'
import { yieldingTransaction } from '../../platform/db/yielding-transaction.ts'
import { noteNewNames } from '../search/index.ts'
import { lockTree } from './change-tree.ts'
import { announceChange, type TreeContext } from './tree-version.ts'

/**
 * Runs a change of the trees of the user and of another one in a transaction. It locks both in the order of their ids, so that two such
 * changes never wait for each other. Unlike with `changeTrees`, `change` may lock memberships and uploads, which others lock before the
 * trees, so it gives way. After the commit, the tabs of both users are told.
 */
export async function changeTwoTrees<T>(
  { db, events, user }: TreeContext,
  otherId: string,
  change: (tx: Tx) => Promise<T>,
): Promise<T> {
  let used: Tx | undefined
  const result = await yieldingTransaction(db, async (tx) => {
    used = tx
    for (const id of [user.id, otherId].toSorted()) await lockTree(tx, id)
    return change(tx)
  })
  for (const changed of [user, { id: otherId }]) {
    noteNewNames(db, changed.id)
    if (used) announceChange({ db, events }, used, [changed])
  }
  return result
}
