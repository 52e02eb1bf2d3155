import { calls } from '@alcove/contract/calls'
import type { UserContext } from '../../context.ts'
import { AppError, notFound } from '../../errors.ts'
import type { Database } from '../../platform/db/database.ts'
import { isForeignKeyViolation } from '../../platform/db/database-errors.ts'
import { endpoint } from '../../platform/http/api.ts'
import {
  assertDepthBelow,
  assertMayContainMounts,
  changeTree,
  deleteMounts,
  getOwnPlace,
  insertItem,
  insertItemKeepingBoth,
  presentOwnFolder,
} from '../items/index.ts'
import { findSharedFolder } from './shared-with-me.ts'

/**
 * Places a shared folder in the user's own tree. There is at most one mount for each membership, so repeating it returns that. One
 * that went to the trash with a folder is placed anew.
 */
export const placeSharedFolder = endpoint(calls.placeSharedFolder, async (ctx, { memberId, targetFolderId, name }) => {
  const shared = await getShared(ctx, memberId)
  const mount = await changeTree(ctx, async (tx) => {
    const known = await findMount(tx, memberId)
    if (known?.trash_id === null) return known
    if (known) await tx.deleteFrom('items').where('id', '=', known.id).execute()
    const target = await getOwnPlace(tx, ctx.user, targetFolderId, 'drive')
    if (target.area === 'vault') throw new AppError('state_conflict', 'A shared folder can’t be placed in the vault.')
    await assertMayContainMounts(tx, target.id)
    await assertDepthBelow(tx, target.id, 1)
    const insert = name === undefined ? insertItemKeepingBoth : insertItem
    const draft = { kind: 'folder', name: name ?? shared.name, size: 0, blob_key: null, mount_of: memberId } as const
    return insert(tx, ctx.user, target, draft, ctx.clock.now())
  }).catch((error: unknown) => {
    // The membership has just ended.
    throw isForeignKeyViolation(error) ? notFound('folder') : error
  })
  return presentOwnFolder(ctx, mount)
})

export const unplaceSharedFolder = endpoint(calls.unplaceSharedFolder, async (ctx, { memberId }) => {
  await getShared(ctx, memberId)
  await changeTree(ctx, async (tx) => {
    const mount = await findMount(tx, memberId)
    if (mount) await deleteMounts(tx, ctx.user, [mount], ctx.clock.now())
  })
  return { message: 'The folder was removed from your files. It stays under “Shared with me”.' }
})

async function getShared(ctx: UserContext, memberId: string) {
  const shared = await findSharedFolder(ctx, memberId)
  if (!shared) throw notFound('folder')
  return shared
}

function findMount(db: Database, memberId: string) {
  return db.selectFrom('items').selectAll().where('mount_of', '=', memberId).executeTakeFirst()
}
