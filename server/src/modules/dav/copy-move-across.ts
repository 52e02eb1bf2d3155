import type { SessionUser } from '../../context.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { ItemRow } from '../../platform/db/tables.ts'
import { assertMayReplace, explainToMember } from '../../platform/http/members.ts'
import {
  admitCopies,
  type ChosenItem,
  changeTrees,
  copyInto,
  getOwnTarget,
  isWithin,
  moveToTrash,
} from '../items/index.ts'
import { conflict, DavError, preconditionFailed } from './dav-error.ts'
import type { DavPath } from './dav-path.ts'
import { type DavRequest, destinationOf, readOverwrite } from './dav-request.ts'
import { enterMount } from './enter-mount.ts'
import { assertPreconditions } from './preconditions.ts'
import { describeStored } from './remote/describe-stored.ts'
import { type Found, getAt, resolvePath } from './resolve-path.ts'

/** Where a COPY or MOVE leads. */
interface Destination {
  /** The path in the tree of the source, or in that of `target`. */
  destination: DavPath
  /** Who brings the item there, if that is another tree: the user or the owner of a shared folder. */
  target: SessionUser | undefined
}

/** Finds the tree to which a COPY or MOVE leads. Throws 403 if the user may not add to it. */
export async function openDestination({ home, ...dav }: DavRequest): Promise<Destination> {
  const { lockTokens } = dav.ctx.user
  const user = { ...(home?.user ?? dav.ctx.user), ...(lockTokens && { lockTokens }) }
  const own: DavRequest = { ...dav, ctx: { ...dav.ctx, user }, mount: home?.mount ?? dav.mount }
  const there = await enterMount({ ...own, path: destinationOf(own) }, 'upload', { isOfPlace: true })
  const isSame = there.ctx.user.member?.id === dav.ctx.user.member?.id
  return { destination: there.path, target: isSame ? undefined : there.ctx.user }
}

export function placedHere(): DavError {
  return new DavError(403, 'A shared folder can’t be replaced, copied as a whole or put into another shared folder.')
}

export function notApart(): DavError {
  return new DavError(403, 'Source and destination must differ, and neither can contain the other.')
}

/**
 * Copies an item into another tree, and after that moves the original to the trash of its owner if it is a MOVE. What is at the
 * destination goes to the trash of the owner there. One transaction.
 */
export async function putAcross(
  dav: DavRequest,
  { target, destination, isMove }: { target: SessionUser; destination: DavPath; isMove: boolean },
): Promise<unknown> {
  const { ctx, reply, path } = dav
  const overwrite = readOverwrite(dav)
  if (path.length === 0 || destination.length === 0) throw placedHere()
  const to = { ...ctx, user: target }
  await admitCopies(to, [(await getAt(ctx.db, ctx.user, path)).item])
  const put = changeTrees({ ...ctx, target }, async (tx) => {
    const source = await getAt(tx, ctx.user, path)
    await assertPreconditions(tx, dav, source)
    const item = source.item as typeof source.item & ChosenItem
    const there = await resolvePath(tx, target, destination)
    if (item.mount_of !== null || there.chain.at(-1)?.mount_of) throw placedHere()
    if (!there.parent) throw conflict('The folder of the destination does not exist.')
    await assertApart(tx, item, there)
    if (there.item && overwrite === 'F') throw preconditionFailed()
    if (there.item && target.member) assertMayReplace(target.member)
    if (there.item) await moveToTrash(to, tx, [there.item])
    const folder = await getOwnTarget(tx, target, there.parent.id, [item])
    const named = { ...item, copyName: destination.at(-1) as string }
    const [id] = await copyInto(tx, to, folder, [named], 'fail', ctx.clock.now())
    if (isMove) await moveToTrash(ctx, tx, [item])
    const copy = await tx
      .selectFrom('items')
      .selectAll()
      .where('id', '=', id as string)
      .executeTakeFirstOrThrow()
    return { isNew: !there.item, copy }
  })
  const { isNew, copy } = await put.catch((error: unknown) => {
    throw target.member ? explainToMember(error) : error
  })
  await describeStored(dav, copy)
  return reply.status(isNew ? 201 : 204).send()
}

/** Throws if an item contains its destination or lies in it: one of two shared folders of an owner may lie in the other. */
async function assertApart(tx: Tx, item: ItemRow, { parent, item: replaced }: Found): Promise<void> {
  if (parent?.owner_id !== item.owner_id) return
  if (await isWithin(tx, parent.id, item.id)) throw notApart()
  if (replaced && (await isWithin(tx, item.id, replaced.id))) throw notApart()
}
