import type { UserContext } from '../../context.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { ItemRow } from '../../platform/db/tables.ts'
import {
  addFolder,
  admitCopies,
  assertDepthBelow,
  type ChosenItem,
  changeTree,
  copyInto,
  copyProperties,
  deletePropertiesOf,
  deleteTrashed,
  getOwnTarget,
  hideInTrash,
  moveToTrash,
  noteActivity,
  relocateItem,
} from '../items/index.ts'
import { findItemToReplace, type ItemToReplace, isFresh, replaceWithFile } from '../versions/index.ts'
import { notApart, openDestination, placedHere, putAcross } from './copy-move-across.ts'
import { conflict, DavError, preconditionFailed } from './dav-error.ts'
import type { DavPath } from './dav-path.ts'
import { type DavHandler, type DavRequest, readDepth, readOverwrite } from './dav-request.ts'
import { assertPreconditions } from './preconditions.ts'
import { describeStored } from './remote/describe-stored.ts'
import { getAt, resolvePath } from './resolve-path.ts'

/** Copies a file, or a folder with everything in it, in one transaction. */
export const copy: DavHandler = async (dav) => {
  const { ctx, path } = dav
  const depth = readDepth(dav, ['0', 'infinity'], 'infinity')
  const { destination, target: other } = await openDestination(dav)
  if (other) return putAcross(dav, { target: other, destination, isMove: false })
  if (depth === 'infinity') await admitCopies(ctx, [(await getAt(ctx.db, ctx.user, path)).item])
  return put(dav, destination, async (tx, item, to) => {
    const now = ctx.clock.now()
    if (item.kind === 'folder' && depth === '0') {
      await assertDepthBelow(tx, to.parent.id, 1)
      const created = await addFolder(ctx, tx, to.parent, to.name)
      await copyProperties(tx, ctx.user.id, [{ source_id: item.id, copy_id: created.id }])
      noteActivity(tx, ctx.user, { action: 'copied', folderId: to.parent.id, items: [created], now })
      return created
    }
    if (to.replaced) return replaceFile(ctx, tx, to.replaced, item)
    const target = await getOwnTarget(tx, ctx.user, to.parent.id, [item])
    await copyInto(tx, ctx, target, [{ ...item, copyName: to.name }], 'fail', now)
    return undefined
  })
}

/** Moves a file or folder to another folder, name or both, in one transaction. */
export const move: DavHandler = async (dav) => {
  const { ctx } = dav
  const { destination, target: other } = await openDestination(dav)
  readDepth(dav, ['infinity'], 'infinity')
  if (other) return putAcross(dav, { target: other, destination, isMove: true })
  return put(dav, destination, async (tx, item, to) => {
    if (to.replaced) return moveOnto(ctx, tx, to.replaced, item)
    await getOwnTarget(tx, ctx.user, to.parent.id, [item])
    return relocateItem(tx, ctx.user, item, { parentId: to.parent.id, name: to.name }, ctx.clock.now())
  })
}

interface To {
  parent: ItemRow
  name: string
  /** A file that a file replaces. */
  replaced: ItemToReplace | undefined
}

/** Changes the tree, and returns the item at the destination if a client needs its id. */
type Change = (tx: Tx, item: ItemRow & ChosenItem, to: To) => Promise<ItemRow | undefined>

/**
 * Puts an item to its destination, unless something is there and the client forbids replacing. A file that a file replaces keeps its
 * id and history, because that is how apps save: they move a new file over the old one. Everything else goes to the trash.
 */
async function put(dav: DavRequest, destination: DavPath, change: Change): Promise<unknown> {
  const { ctx, reply, path } = dav
  const overwrite = readOverwrite(dav)
  if (path.length === 0 && dav.home) throw new DavError(403, 'A shared folder can’t be copied as a whole.')
  if (path.length === 0) throw new DavError(403, 'The root folder can’t be moved or copied.')
  if (destination.length === 0) throw new DavError(403, 'The root folder can’t be replaced.')
  assertApart(path, destination)
  const { isNew, result } = await changeTree(ctx, async (tx) => {
    const source = await getAt(tx, ctx.user, path)
    await assertPreconditions(tx, dav, source)
    const there = await resolvePath(tx, ctx.user, destination)
    if (there.chain.at(-1)?.mount_of) throw placedHere()
    if (!there.parent) throw conflict('The folder of the destination does not exist.')
    if (there.item && overwrite === 'F') throw preconditionFailed()
    const item = source.item as ItemRow & ChosenItem
    const name = destination.at(-1) as string
    const isSave = there.item?.kind === 'file' && item.kind === 'file'
    if (there.item && !isSave) await moveToTrash(ctx, tx, [there.item])
    const replaced = isSave ? await findItemToReplace(tx, there.parent.id, name) : undefined
    const result = await change(tx, item, { parent: there.parent, name, replaced })
    return { isNew: !there.item, result }
  })
  if (result) await describeStored(dav, result)
  return reply.status(isNew ? 201 : 204).send()
}

/**
 * Moves a file onto another one, which gets its bytes and properties. A new file vanishes, because apps save like that. An older one, and
 * one with a history of its own, is deleted: it goes to the trash and counts as a deletion.
 */
async function moveOnto(ctx: UserContext, tx: Tx, replaced: ItemToReplace, item: ItemRow): Promise<ItemRow> {
  await replaceProperties(ctx, tx, replaced, item)
  const source = await withHistory(tx, item)
  if (isFresh(ctx, source) && source.newest_version === null) {
    await hideInTrash(tx, ctx.user, [source], ctx.clock.now())
    // Before the other takes its space. The bytes are only removed once nothing refers to them.
    await deleteTrashed(ctx, tx, ctx.user.id, { ids: [source.id] })
  } else await moveToTrash(ctx, tx, [source])
  return replaceWithFile(ctx, tx, replaced, source)
}

async function replaceFile(ctx: UserContext, tx: Tx, replaced: ItemToReplace, item: ItemRow): Promise<ItemRow> {
  await replaceProperties(ctx, tx, replaced, item)
  return replaceWithFile(ctx, tx, replaced, await withHistory(tx, item))
}

async function withHistory(tx: Tx, { parent_id, name }: ItemRow): Promise<ItemToReplace> {
  return (await findItemToReplace(tx, parent_id as string, name)) as ItemToReplace
}

async function replaceProperties({ user }: UserContext, tx: Tx, replaced: ItemRow, source: ItemRow): Promise<void> {
  await deletePropertiesOf(tx, user.id, tx.selectFrom('items').select('id').where('id', '=', replaced.id))
  await copyProperties(tx, user.id, [{ source_id: source.id, copy_id: replaced.id }])
}

/** Throws unless source and destination are different and neither contains the other. */
function assertApart(source: DavPath, destination: DavPath): void {
  const [shorter, longer] = source.length <= destination.length ? [source, destination] : [destination, source]
  if (!shorter.every((name, index) => name === longer[index])) return
  throw notApart()
}
