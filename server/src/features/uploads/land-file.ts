import type { UserContext } from '../../context.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { ItemRow } from '../../platform/db/tables.ts'
import { assertDepthBelow } from '../../tree/depth.ts'
import { insertItem, insertItemKeepingBoth, nameTaken } from '../../tree/insert-item.ts'
import { nameKey } from '../../tree/names.ts'
import { changeQuota } from '../../tree/quota.ts'
import { queueBlobRemoval } from '../../tree/remove-blobs.ts'
import { type Destination, openDestination } from './destination.ts'

/** Bytes that have arrived whole and are to become a file. */
export interface Arrival {
  filename: string
  size: number
  blobKey: string
  destination: Destination
  /** What the upload had reserved of the quota, given back now. */
  reserved: number
}

/** Makes a file of bytes that are on stable storage, in the user's tree, which must be locked. */
export async function landFile(ctx: UserContext, tx: Tx, arrival: Arrival): Promise<ItemRow> {
  const now = ctx.clock.now()
  const { filename, size, blobKey, destination } = arrival
  const place = await openDestination(tx, ctx.user, destination)
  const parent = await ensureFolders(ctx, tx, place, destination.folders)
  const old = destination.onConflict === 'replace' ? await findSibling(tx, parent, filename) : undefined
  if (old?.kind === 'folder') throw nameTaken(filename)
  await changeQuota(tx, ctx.user.id, { used: size - (old?.size ?? 0), reserved: -arrival.reserved })
  await tx.insertInto('blobs').values({ key: blobKey, size, created_at: now }).execute()
  if (old) return replaceFile(ctx, tx, old, arrival)
  const draft = { kind: 'file', name: filename, size, blob_key: blobKey } as const
  return destination.onConflict === 'keepBoth'
    ? insertItemKeepingBoth(tx, ctx.user, parent, draft, now)
    : insertItem(tx, ctx.user, parent, draft, now)
}

/** Walks down the named folders, creating those that are missing. */
async function ensureFolders(ctx: UserContext, tx: Tx, place: ItemRow, names: readonly string[]): Promise<ItemRow> {
  let parent = place
  for (const [level, name] of names.entries()) {
    const sibling = await findSibling(tx, parent, name)
    if (sibling?.kind === 'file') throw nameTaken(name)
    if (!sibling) await assertDepthBelow(tx, parent.id, names.length - level)
    const draft = { kind: 'folder', name, size: 0, blob_key: null } as const
    parent = sibling ?? (await insertItem(tx, ctx.user, parent, draft, ctx.clock.now()))
  }
  return parent
}

/** Gives a file new bytes; its id, link and favourite stay. */
async function replaceFile(ctx: UserContext, tx: Tx, old: ItemRow, { size, blobKey }: Arrival): Promise<ItemRow> {
  const now = ctx.clock.now()
  await queueBlobRemoval(ctx, tx, [old.blob_key as string], now)
  return tx
    .updateTable('items')
    .set({ blob_key: blobKey, size, updated_at: now })
    .where('id', '=', old.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

function findSibling(tx: Tx, parent: ItemRow, name: string): Promise<ItemRow | undefined> {
  return tx
    .selectFrom('items')
    .selectAll()
    .where('parent_id', '=', parent.id)
    .where('name_key', '=', nameKey(name))
    .where('trashed_at', 'is', null)
    .executeTakeFirst()
}
