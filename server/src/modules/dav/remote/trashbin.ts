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
  readFileNumbers,
  readFolderPaths,
} from '../../items/index.ts'
import { DavError } from '../dav-error.ts'
import { encodeName, readDestination, writeHref } from '../dav-path.ts'
import { type DavHandler, type DavMethods, type DavRequest, headerOf, hostsOf, readDepth } from '../dav-request.ts'
import type { LiveProperties } from '../live-properties.ts'
import { readWanted } from '../propfind.ts'
import { readXml } from '../read-xml.ts'
import { readAccount, readResources } from '../resource.ts'
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
 * and DELETE deletes it for good.
 */

const PAGE = 1000

/** Lists the trash. What is inside a trashed folder isn't listed. */
const list: DavHandler = async (dav) => {
  const { ctx, reply, path } = dav
  const depth = readDepth(dav, ['0', '1'], '1')
  const wanted = readWanted(await readXml(dav))
  const item = path.length > 1 ? await getTrashed(ctx.db, dav) : undefined
  if (!item && path[0] !== undefined && path[0] !== 'trash') throw new DavError(404, 'Nothing is at this address.')
  reply.status(207).type(XML_TYPE)
  return reply.send(Readable.from(write(), { objectMode: false }))

  async function* write(): AsyncGenerator<string> {
    const paths = new Map<string, string>()
    const properties = trashProperties(paths)
    // What is in a trashed folder is hidden, so it can't be measured.
    const needs = { ...needsOf(wanted, properties), sizes: false }
    const account = await readAccount(ctx, dav.mount)
    const writeOne = responseWriter(wanted, { now: ctx.clock.now(), properties, hrefOfFolder: () => folder })
    const folder = writeHref(dav.mount, ['trash'], 'folder')
    const self = '<D:resourcetype><D:collection/></D:resourcetype>'
    yield MULTISTATUS_START
    if (!item) yield writeResponse(writeHref(dav.mount, path, 'folder'), propstat(self, 200))
    const pages = item ? [[item]] : depth === '1' && path.length === 1 ? readPages(ctx.db, ctx.user) : []
    for await (const rows of pages) {
      const numbers = await readFileNumbers(
        ctx.db,
        rows.map(({ id }) => id),
      )
      const around = await readFolderPaths(
        ctx.db,
        rows.map((row) => row.parent_id as string),
        ctx.user.driveRootId,
      )
      for (const row of rows) paths.set(row.id, `${around.get(row.parent_id as string) ?? ''}/${row.name}`.slice(1))
      const found = rows.map((row) => ({ row, href: hrefOf(folder, row, numbers.get(row.id)) }))
      yield (await readResources(ctx, found, needs, account)).map(writeOne).join('')
      paths.clear()
    }
    yield MULTISTATUS_END
  }
}

function hrefOf(folder: string, { name, kind }: ItemRow, number: number | undefined): string {
  return `${folder}${encodeName(`${name}.d${number}`)}${kind === 'folder' ? '/' : ''}`
}

/** `paths` has where the items of the current page were. */
function trashProperties(paths: ReadonlyMap<string, string>): LiveProperties {
  const nc = (local: string) => nameKey({ namespace: NEXTCLOUD, local })
  return new Map([
    ...remoteProperties,
    [nc('trashbin-filename'), { isInAll: false, write: ({ row }) => escapeXml(row.name) }],
    [
      nc('trashbin-original-location'),
      { isInAll: false, write: ({ row }) => escapeXml(paths.get(row.id) ?? row.name) },
    ],
    [
      nc('trashbin-deletion-time'),
      { isInAll: false, write: ({ row }) => String(Math.floor((row.trashed_at ?? 0) / 1000)) },
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
    await bringBackFromTrash(tx, ctx.user, [await getTrashed(tx, dav)], ctx.clock.now())
  })
  return reply.status(201).send()
}

/** Deletes an item for good, or everything in the trash of the drive. */
const remove: DavHandler = async (dav) => {
  const { ctx, reply, path } = dav
  if (path[0] !== 'trash') throw new DavError(403, 'This can’t be deleted.')
  await changeTree(ctx, async (tx) => {
    if (path.length === 1) await emptyTrashOf(ctx, tx, await listAll(tx, ctx))
    else await deletePermanently(ctx, tx, [(await getTrashed(tx, dav)).id])
  })
  return reply.status(204).send()
}

async function listAll(db: Database, { user }: UserContext): Promise<string[]> {
  const ids: string[] = []
  for await (const rows of readPages(db, user)) ids.push(...rows.map(({ id }) => id))
  return ids
}

/** Returns the trashed item that a path names. Throws 404. */
async function getTrashed(db: Database, { ctx, path }: DavRequest): Promise<ItemRow & ChosenItem> {
  const [collection, name, ...below] = path
  const item = await getNumbered(db, ctx.user, /\.d(\d+)$/.exec(name ?? '')?.[1])
  if (collection !== 'trash' || below.length > 0 || item.trashed_at === null) {
    throw new DavError(404, 'Nothing is at this address.')
  }
  return item as ItemRow & ChosenItem
}

export const trashMethods: DavMethods = {
  PROPFIND: { handler: list, scope: 'read' },
  MOVE: { handler: restore, scope: 'write' },
  DELETE: { handler: remove, scope: 'write' },
}
