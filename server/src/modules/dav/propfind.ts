import { Readable } from 'node:stream'
import { readChildren } from '../items/index.ts'
import { DavError } from './dav-error.ts'
import { encodeName, writeHref } from './dav-path.ts'
import { type DavHandler, type DavRequest, propertiesOf, readDepth, writingFor } from './dav-request.ts'
import { davProperties } from './live-properties.ts'
import { readMounted } from './mounted-resources.ts'
import { assertPreconditions } from './preconditions.ts'
import { childrenOf, findChild, isDav, readXml, type XmlElement } from './read-xml.ts'
import { type Found, getAt } from './resolve-path.ts'
import { readAccount, readResources } from './resource.ts'
import { MULTISTATUS_END, MULTISTATUS_START, needsOf, responseWriter, type Wanted } from './write-multistatus.ts'
import { XML_TYPE } from './write-xml.ts'

/** Returns properties of a resource and, with depth 1, of what a folder contains. Folders of any size are streamed. */
export const propfind: DavHandler = async (dav) => {
  const { ctx, reply } = dav
  const depth = readDepth(dav, ['0', '1', 'infinity'], 'infinity')
  const wanted = readWanted(await readXml(dav))
  const found = await getAt(ctx.db, ctx.user, dav.path)
  await assertPreconditions(ctx.db, dav, found)
  if (depth === 'infinity' && found.item.kind === 'folder') {
    throw new DavError(403, 'Folders can only be listed with Depth 0 or 1.', 'propfind-finite-depth')
  }
  reply.status(207).type(XML_TYPE)
  if (depth === '0' || found.item.kind === 'file') return reply.send(await writeOne(dav, found, wanted))
  return reply.send(Readable.from(writeFolder(dav, found, wanted), { objectMode: false }))
}

/** Reads which properties a client wants. */
export function readWanted(body: XmlElement | undefined): Wanted {
  if (body === undefined) return { kind: 'allprop', names: [] }
  if (!isDav(body, 'propfind')) throw new DavError(400, 'The body of a PROPFIND must be a propfind element.')
  const kinds = childrenOf(body).filter((child) => ['prop', 'allprop', 'propname'].some((one) => isDav(child, one)))
  const [kind] = kinds
  if (!kind || kinds.length > 1) {
    throw new DavError(400, 'A propfind element must contain one of prop, allprop and propname.')
  }
  if (kind.local === 'propname') return { kind: 'propname' }
  const list = kind.local === 'prop' ? kind : findChild(body, 'include')
  return { kind: kind.local as 'prop' | 'allprop', names: list ? childrenOf(list) : [] }
}

type FoundItem = Found & { item: NonNullable<Found['item']> }

async function writeOne(dav: DavRequest, found: FoundItem, wanted: Wanted): Promise<string> {
  const { ctx, mount } = dav
  const needs = needsOf(wanted, propertiesOf(mount))
  const account = needs.account ? await readAccount(dav) : undefined
  const self = { ...selfOf(dav, found), href: writeHref(mount, found.path, found.item.kind) }
  const resources = await readResources(ctx, [self], needs, account)
  const write = responseWriter(wanted, writingFor(dav, found))
  return MULTISTATUS_START + resources.map(write).join('') + MULTISTATUS_END
}

/** Describes the root of the server, which contains nothing but the root of the mount. */
export const propfindServer: DavHandler = async (dav) => {
  const { ctx, reply, mount } = dav
  const depth = readDepth(dav, ['0', '1'], '0')
  const wanted = readWanted(await readXml(dav))
  const found = await getAt(ctx.db, ctx.user, [])
  const items = (depth === '0' ? ['/'] : ['/', `${mount.prefix}/`]).map((href) => ({ row: found.item, href }))
  const resources = await readResources(ctx, items, needsOf(wanted, davProperties), await readAccount(dav))
  const responses = resources.map(responseWriter(wanted, writingFor(dav, found)))
  return reply
    .status(207)
    .type(XML_TYPE)
    .send(MULTISTATUS_START + responses.join('') + MULTISTATUS_END)
}

/** A shared folder has the name that its member has given it. */
function selfOf({ mount, path }: DavRequest, { item }: FoundItem) {
  const isMount = mount.name !== undefined && path.length === 0
  return { row: isMount ? { ...item, name: mount.name as string } : item, isMount }
}

/** Yields the response for a folder page by page, so that its size doesn't matter. */
async function* writeFolder(dav: DavRequest, found: FoundItem, wanted: Wanted): AsyncGenerator<string> {
  const { ctx, mount, path } = dav
  const needs = needsOf(wanted, propertiesOf(mount))
  const account = needs.account ? await readAccount(dav) : undefined
  const write = responseWriter(wanted, writingFor(dav, found))
  const around = writeHref(mount, path, 'folder')
  const writeAll = async (items: Parameters<typeof readResources>[1]) =>
    (await readResources(ctx, items, needs, account)).map(write).join('')
  yield MULTISTATUS_START + (await writeAll([{ ...selfOf(dav, found), href: around }]))
  for await (const all of readChildren(ctx.db, found.item.id)) {
    const rows = all.filter(({ mount_of }) => mount_of === null)
    const written = await writeAll(
      rows.map((row) => ({ row, href: around + encodeName(row.name) + (row.kind === 'folder' ? '/' : '') })),
    )
    const mounted = rows.length < all.length ? await readMounted(dav, { around, rows: all, needs }) : []
    yield written + mounted.map(write).join('')
  }
  yield MULTISTATUS_END
}
