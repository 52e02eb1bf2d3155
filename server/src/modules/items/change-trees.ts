import type { SessionUser } from '../../context.ts'
import type { Tx } from '../../platform/db/database.ts'
import { lockMembership } from '../../platform/http/members.ts'
import { noteNewNames } from '../search/index.ts'
import { writeActivity } from './activity/write-activity.ts'
import { changeTree, lockTree } from './change-tree.ts'
import { announceChange, type TreeContext } from './tree-version.ts'

/** What a change of one or two trees needs. With `target`, items go to another tree, or to another shared folder. */
export interface TreesContext extends Omit<TreeContext, 'user'> {
  readonly user: SessionUser
  readonly target?: SessionUser
}

/**
 * Runs a change that takes items from the tree of `user` into that of `target`, or without a target like `changeTree`. One transaction
 * locks the memberships that allow it, and then the trees. All locks are taken in the order of their ids, so two such changes never
 * wait for each other. After the commit, the tabs of both users are told.
 */
export async function changeTrees<T>(ctx: TreesContext, change: (tx: Tx) => Promise<T>): Promise<T> {
  const { db, events, user, target } = ctx
  if (!target) return changeTree(ctx, change)
  const members = [user.member, target.member].filter((member) => member !== undefined)
  const owners = new Map([user, target].map((one) => [one.id, one]))
  let used: Tx | undefined
  const result = await db.transaction().execute(async (tx) => {
    used = tx
    for (const member of members.toSorted(byId)) await lockMembership(tx, member)
    for (const { id } of [...owners.values()].sort(byId)) await lockTree(tx, id)
    const changed = await change(tx)
    await writeActivity(tx)
    return changed
  })
  for (const owner of owners.values()) {
    noteNewNames(db, owner.id)
    if (used) announceChange({ db, events }, used, [owner])
  }
  return result
}

function byId(a: { readonly id: string }, b: { readonly id: string }): number {
  return a.id < b.id ? -1 : 1
}
