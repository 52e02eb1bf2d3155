import type { DriveScope } from '@alcove/contract/call'
import type { UserContext } from '../../../context.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { ItemRow } from '../../../platform/db/tables.ts'
import { sendBytes } from '../../../platform/http/send-bytes.ts'
import { fileResponse } from '../../items/index.ts'
import { asVersion, restoreFileVersion } from '../../versions/index.ts'
import { DavError } from '../dav-error.ts'
import { readDestination, writeHref } from '../dav-path.ts'
import {
  type DavHandler,
  type DavMethods,
  type DavRequest,
  headerOf,
  hostsOf,
  propertiesOf,
  readDepth,
} from '../dav-request.ts'
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
import { XML_TYPE } from '../write-xml.ts'
import { openNumbered } from './find-numbered.ts'

/**
 * Earlier versions of a file for clients of Nextcloud: `versions/FILEID` lists them by the time at which they were replaced. GET reads
 * one, and COPY or MOVE to `restore` makes it the current one.
 */

/** More than a history has after thinning out. */
const MAX_LISTED = 1000

const list: DavHandler = async (dav) => {
  const { reply, mount, path } = dav
  const depth = readDepth(dav, ['0', '1'], '1')
  const wanted = readWanted(await readXml(dav))
  const { ctx, file, collection } = await openFile(dav, 'read')
  const versions =
    depth === '0'
      ? []
      : await ctx.db
          .selectFrom('versions')
          .select(['id', 'blob_key', 'size', 'modified_at', 'created_at'])
          .where('item_id', '=', file.id)
          .orderBy('created_at', 'desc')
          .limit(MAX_LISTED)
          .execute()
  const found = versions.map((version) => ({
    row: { ...file, ...version },
    href: writeHref(mount, [...collection, String(version.created_at)], 'file'),
  }))
  const needs = needsOf(wanted, propertiesOf(mount))
  const resources = await readResources(ctx, found, needs, await readAccount({ ctx, mount }))
  const writing = { now: ctx.clock.now(), properties: propertiesOf(mount), hrefOfFolder: () => '' }
  const self = propstat('<D:resourcetype><D:collection/></D:resourcetype>', 200)
  const responses = resources.map(responseWriter(wanted, writing))
  return reply
    .status(207)
    .type(XML_TYPE)
    .send(
      MULTISTATUS_START + writeResponse(writeHref(mount, path, 'folder'), self) + responses.join('') + MULTISTATUS_END,
    )
}

const get: DavHandler = async (dav) => {
  const { request, reply } = dav
  const { ctx, file } = await openFile(dav, 'read')
  const version = await asVersion(ctx.db, file, await getVersionId(ctx.db, file, dav))
  return sendBytes(ctx, request, reply, fileResponse(version, 'attachment'))
}

const restore: DavHandler = async (dav) => {
  const { request, reply, mount } = dav
  const [to] = readDestination([mount], headerOf(dav, 'destination'), hostsOf(request, dav.ctx.config.publicUrl))
  if (to !== 'restore') throw new DavError(403, 'Versions can only be moved to "restore".')
  const { ctx, file } = await openFile(dav, 'write')
  await restoreFileVersion(ctx, { id: file.id, versionId: await getVersionId(ctx.db, file, dav) })
  return reply.status(204).send()
}

/** Returns the file whose versions a path names. Throws 404. */
async function openFile(
  dav: DavRequest,
  scope: DriveScope,
): Promise<{ ctx: UserContext; file: ItemRow; collection: string[] }> {
  const [collection, number, ...rest] = dav.path
  const { ctx, item: file } = await openNumbered(dav.ctx, number, scope)
  if (collection !== 'versions' || rest.length > 1 || file.kind !== 'file' || file.trash_id !== null) {
    throw new DavError(404, 'Nothing is at this address.')
  }
  return { ctx, file, collection: [collection, number as string] }
}

async function getVersionId(db: Database, file: ItemRow, { path }: DavRequest): Promise<string> {
  const time = /^\d{1,15}$/.test(path[2] ?? '') ? Number(path[2]) : -1
  const version = await db
    .selectFrom('versions')
    .select('id')
    .where('item_id', '=', file.id)
    .where('created_at', '=', time)
    .executeTakeFirst()
  if (!version) throw new DavError(404, 'There is no such version.')
  return version.id
}

export const versionMethods: DavMethods = {
  PROPFIND: { handler: list, scope: 'read' },
  GET: { handler: get, scope: 'read' },
  HEAD: { handler: get, scope: 'read' },
  COPY: { handler: restore, scope: 'write' },
  MOVE: { handler: restore, scope: 'write' },
}
