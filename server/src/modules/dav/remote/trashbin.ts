import { Readable } from 'node:stream'
import type { SessionUser, UserContext } from '../../../context.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { ItemRow } from '../../../platform/db/tables.ts'
import { escapeXml } from '../../../platform/http/escape-xml.ts'
import {
  bringBackFromTrash,
  type ChosenItem,
  changeTree,
  deletePermanently,
  emptyTrashOf,
  isInReach,
  readChildren,
  readFileNumbers,
  readFolderPaths,
} from '../../items/index.ts'
import { DavError } from '../dav-error.ts'
import { encodeName, readDestination, writeHref } from '../dav-path.ts'
import { type DavHandler, type DavMethods, type DavRequest, headerOf, hostsOf, readDepth } from '../dav-request.ts'
import type { LiveProperties } from '../live-properties.ts'
import { readWanted } from '../propfind.ts'
import { readXml } from '../read-xml.ts'
import { getInTrash } from '../resolve-path.ts'
import { type ResourceRow, readAccount, readResources } from '../resource.ts'
import {
  MULTISTATUS_END,
  MULTISTATUS_START,
  needsOf,
  propstat,
  responseWriter,
  writeResponse,
} from '../write-multistatus.ts'
import { NEXTCLOUD, nameKey, XML_TYPE } from '../write-xml.ts'
import { getNumbered } from './find-numbered.ts'
import { remoteProperties } from './remote-properties.ts'

/**
 * The trash for clients of Nextcloud: `trash` lists what was trashed itself, as `NAME.dNUMBER`. MOVE to `restore` brings an item back,
 * and DELETE deletes it for good. What is inside a trashed folder can only be listed.
 */

const PAGE = 1000

/** Lists the trash, or a folder in it. */
const list: DavHandler = async (dav) => {
  const { ctx, reply, path } = dav
  const depth = readDepth(dav, ['0', '1'], '1')
  const wanted = readWanted(await readXml(dav))
  const place = path.length > 1 ? await openPlace(ctx.db, dav) : undefined
  if (!place && path[0] !== undefined && path[0] !== 'trash') throw new DavError(404, 'Nothing is at this address.')
  reply.status(207).type(XML_TYPE)
  return reply.send(Readable.from(write(), { objectMode: false }))

  async function* write(): AsyncGenerator<string> {
    const locations = new Map<string, string>()
    const properties = trashProperties(locations, place?.top.trashed_at ?? null)
    // What is in a trashed folder is hidden, so it can't be measured.
    const needs = { ...needsOf(wanted, properties), sizes: false }
    const account = await readAccount(dav)
    const root = writeHref(dav.mount, ['trash'], 'folder')
    const writeOne = responseWriter(wanted, { now: ctx.clock.now(), properties, hrefOfFolder: () => root })
    const self = '<D:resourcetype><D:collection/></D:resourcetype>'
    yield MULTISTATUS_START
    if (!place) yield writeResponse(writeHref(dav.mount, path, 'folder'), propstat(self, 200))
    for await (const listed of place ? listPlace(dav, place, depth) : listTop(dav, root, depth)) {
      for (const { row, location } of listed) locations.set(row.id, location)
      yield (await readResources(ctx, listed, needs, account)).map(writeOne).join('')
      locations.clear()
    }
    yield MULTISTATUS_END
  }
}

/** An item in the trash, its address, and where it was. */
interface Listed {
  row: ResourceRow
  href: string
  location: string
}

/** Lists what was trashed itself. */
async function* listTop({ ctx, path }: DavRequest, root: string, depth: '0' | '1'): AsyncGenerator<Listed[]> {
  if (depth === '0' || path.length === 0) return
  for await (const rows of readPages(ctx.db, ctx.user)) yield await describeTop(ctx, root, rows)
}

async function describeTop({ db, user }: UserContext, root: string, rows: readonly ItemRow[]): Promise<Listed[]> {
  const numbers = await readFileNumbers(
    db,
    rows.map(({ id }) => id),
  )
  const around = await readFolderPaths(
    db,
    rows.map((row) => row.parent_id as string),
    user.driveRootId,
  )
  return rows.map((row) => ({
    row,
    href: hrefOf(root, row, numbers.get(row.id)),
    location: `${around.get(row.parent_id as string) ?? ''}/${row.name}`.slice(1),
  }))
}

/** A place in the trash: an item, and the one that was trashed with it. They are the same if it was trashed itself. */
interface TrashPlace {
  item: ItemRow
  top: ItemRow
}

async function openPlace(db: Database, dav: DavRequest): Promise<TrashPlace> {
  const { ctx, path } = dav
  const top = await getTrashed(db, dav)
  const below = path.slice(2)
  return { top, item: below.length === 0 ? top : await getInTrash(db, ctx.user, top.id, below) }
}

/** Lists an item, and what was trashed with it and is directly in it. */
async function* listPlace(dav: DavRequest, { item, top }: TrashPlace, depth: '0' | '1'): AsyncGenerator<Listed[]> {
  const { ctx, mount, path } = dav
  const [described] = await describeTop(ctx, writeHref(mount, ['trash'], 'folder'), [top])
  const { href, location } = described as Listed
  const below = path.slice(2)
  const self = {
    row: item,
    href: below.length === 0 ? href : href + writeHref({ prefix: '' }, below, item.kind).slice(1),
    location: [location, ...below].join('/'),
  }
  yield [self]
  if (depth === '0' || item.kind === 'file') return
  for await (const rows of readChildren(ctx.db, item.id, top.id)) {
    yield rows
      .filter(({ mount_of }) => mount_of === null)
      .map((row) => ({
        row,
        href: `${self.href}${encodeName(row.name)}${row.kind === 'folder' ? '/' : ''}`,
        location: `${self.location}/${row.name}`,
      }))
  }
}

function hrefOf(folder: string, { name, kind }: ItemRow, number: number | undefined): string {
  return `${folder}${encodeName(`${name}.d${number}`)}${kind === 'folder' ? '/' : ''}`
}

/** `locations` has where the items of the current page were, and `trashedAt` when a folder was trashed with them. */
function trashProperties(locations: ReadonlyMap<string, string>, trashedAt: number | null): LiveProperties {
  const nc = (local: string) => nameKey({ namespace: NEXTCLOUD, local })
  return new Map([
    ...remoteProperties,
    [nc('trashbin-filename'), { isInAll: false, write: ({ row }) => escapeXml(row.name) }],
    [
      nc('trashbin-original-location'),
      { isInAll: false, write: ({ row }) => escapeXml(locations.get(row.id) ?? row.name) },
    ],
    [
      nc('trashbin-deletion-time'),
      { isInAll: false, write: ({ row }) => String(Math.floor((row.trashed_at ?? trashedAt ?? 0) / 1000)) },
    ],
  ])
}

async function* readPages(db: Database, user: SessionUser): AsyncGenerator<ItemRow[]> {
  let last = { trashed_at: 0 as number | null, id: '' }
  for (;;) {
    const { trashed_at, id } = last
    const rows = await db
      .selectFrom('items')
      .selectAll()
      .where('owner_id', '=', user.id)
      .where('area', '=', 'drive')
      .where('trashed_at', 'is not', null)
      .where(isInReach(user))
      .where((eb) => eb(eb.refTuple('trashed_at', 'id'), '>', eb.tuple(trashed_at, id)))
      .orderBy('trashed_at')
      .orderBy('id')
      .limit(PAGE)
      .execute()
    yield rows
    if (rows.length < PAGE) return
    last = rows.at(-1) as ItemRow
  }
}

const restore: DavHandler = async (dav) => {
  const { ctx, request, reply, mount } = dav
  const [to] = readDestination([mount], headerOf(dav, 'destination'), hostsOf(request, ctx.config.publicUrl))
  if (to !== 'restore') throw new DavError(403, 'Items of the trash can only be moved to "restore".')
  await changeTree(ctx, async (tx) => {
    await bringBackFromTrash(tx, ctx.user, [await getWhole(tx, dav)], ctx.clock.now())
  })
  return reply.status(201).send()
}

/** Deletes an item for good, or everything in the trash of the drive. */
const remove: DavHandler = async (dav) => {
  const { ctx, reply, path } = dav
  if (path[0] !== 'trash') throw new DavError(403, 'This can’t be deleted.')
  await changeTree(ctx, async (tx) => {
    if (path.length === 1) await emptyTrashOf(ctx, tx, { ids: await listAll(tx, ctx) })
    else await deletePermanently(ctx, tx, [(await getWhole(tx, dav)).id])
  })
  return reply.status(204).send()
}

async function listAll(db: Database, { user }: UserContext): Promise<string[]> {
  const ids: string[] = []
  for await (const rows of readPages(db, user)) ids.push(...rows.map(({ id }) => id))
  return ids
}

/** Returns the item that a path names and that was trashed itself. Throws 404, and 403 for what is inside such a folder. */
async function getWhole(db: Database, dav: DavRequest): Promise<ItemRow & ChosenItem> {
  if (dav.path.length > 2) {
    const { top } = await openPlace(db, dav)
    throw new DavError(403, `Only the whole folder "${top.name}" can be restored or deleted.`)
  }
  return getTrashed(db, dav)
}

/** Returns the item that the second name of a path names: it was trashed itself. Throws 404. */
async function getTrashed(db: Database, { ctx, path: [collection, name] }: DavRequest): Promise<ItemRow & ChosenItem> {
  const item = await getNumbered(db, ctx.user, /\.d(\d+)$/.exec(name ?? '')?.[1])
  if (collection !== 'trash' || item.trashed_at === null) throw new DavError(404, 'Nothing is at this address.')
  return item as ItemRow & ChosenItem
}

export const trashMethods: DavMethods = {
  PROPFIND: { handler: list, scope: 'read' },
  MOVE: { handler: restore, scope: 'write' },
  DELETE: { handler: remove, scope: 'write' },
}
