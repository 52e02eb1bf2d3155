import { parseChecksums } from '../../../platform/crypto/checksums.ts'
import type { ItemRow } from '../../../platform/db/tables.ts'
import { endWhenRevoked } from '../../../platform/http/app-passwords.ts'
import { abortWhenIdle } from '../../../platform/http/request-bodies.ts'
import { assertUnlocked } from '../../items/index.ts'
import {
  adoptSequence,
  assertMayStore,
  discardSequence,
  dropSequenceChunk,
  findFinishedSequence,
  finishSequence,
  listSequence,
  MAX_SEQUENCE_CHUNK,
  openSequence,
  receiveSequenceChunk,
} from '../../uploads/index.ts'
import { conflict, DavError, preconditionFailed } from '../dav-error.ts'
import { writeHref } from '../dav-path.ts'
import {
  type DavHandler,
  type DavMethods,
  type DavRequest,
  destinationOf,
  headerOf,
  readDepth,
} from '../dav-request.ts'
import { withinMount } from '../enter-mount.ts'
import { continueRequest } from '../expect-continue.ts'
import { assertPreconditions, isConditional } from '../preconditions.ts'
import { readDate, readNumber } from '../put.ts'
import { readBody, readXml } from '../read-xml.ts'
import { type Found, resolvePath } from '../resolve-path.ts'
import { MULTISTATUS_END, MULTISTATUS_START, propstat, writeResponse } from '../write-multistatus.ts'
import { XML_TYPE } from '../write-xml.ts'
import { describeStored } from './describe-stored.ts'

/**
 * Uploads in chunks, as Nextcloud's and ownCloud's clients make them (their chunking version 2, and the one before it): MKCOL begins
 * an upload, each PUT adds a chunk, and MOVE of `.file` makes the file.
 */

/** The name by which clients refer to the whole file. */
const WHOLE = '.file'
/** The length of a chunk's name that is its offset. Numbers have at most 8 digits. */
const OFFSET_DIGITS = 16

/** Begins an upload. */
const begin: DavHandler = async (dav) => {
  const { reply, path } = dav
  await readBody(dav)
  const name = nameOf(dav)
  if (path.length > 1) throw conflict('Chunks are sent by PUT.')
  const size = readNumber(headerOf(dav, 'oc-total-length'))
  // Only the newer protocol says at once where the file will be.
  await atDestination(dav, name, async (target) => {
    if (headerOf(dav, 'destination') !== undefined) {
      const { parent, filename } = await findTarget(target)
      await assertMayStore(target.ctx, { folderId: parent.id, filename }, size)
    }
    await openSequence(target.ctx, name, size)
  })
  return reply.status(201).send()
}

const receive: DavHandler = async (dav) => {
  const { request, reply } = dav
  const name = nameOf(dav)
  const chunk = readChunk(dav)
  const size = readNumber(headerOf(dav, 'content-length'))
  if (size === undefined) throw new DavError(411, 'A chunk must have a Content-Length.')
  if (size > MAX_SEQUENCE_CHUNK) throw new DavError(413, 'A chunk can have at most 5 GiB.')
  await atDestination(dav, name, ({ ctx }) =>
    receiveSequenceChunk(ctx, name, { ...chunk, size }, () => {
      continueRequest(request)
      abortWhenIdle(request.raw)
      return request.raw
    }),
  )
  return reply.status(201).send()
}

/** Makes the file, once: a client that got no response can repeat its request. */
const finish: DavHandler = async (dav) => {
  const name = nameOf(dav)
  if (dav.path[1] !== WHOLE) throw new DavError(403, `Only ${WHOLE} can be moved from here.`)
  return atDestination(dav, name, (target) => finishAt(target, name))
}

async function finishAt(dav: DavRequest, name: string): Promise<unknown> {
  const { ctx } = dav
  const modifiedAt = readDate(headerOf(dav, 'x-oc-mtime'))
  const { found, parent, filename } = await findTarget(dav)
  const target = { folderId: parent.id, filename }
  // Before the conditions, which the file no longer meets once the upload has replaced it.
  const finished = await findFinishedSequence(ctx, name, target)
  if (finished) return respond(dav, finished, modifiedAt)
  const { item } = found
  await assertPreconditions(ctx.db, dav, found)
  if (item && headerOf(dav, 'overwrite')?.trim().toUpperCase() === 'F') throw preconditionFailed()
  await assertUnlocked(ctx.db, ctx.user, ctx.clock.now(), [(item ?? parent).id])
  await assertMayStore(ctx, target, undefined)
  const stored = await finishSequence(ctx, name, target, {
    size: readNumber(headerOf(dav, 'oc-total-length')),
    modifiedAt,
    checksums: parseChecksums(headerOf(dav, 'oc-checksum')),
    assertMayReplace: (existing) => {
      // As in a PUT, the conditions were met by what was there before.
      if (isConditional(dav) && existing?.blob_key !== item?.blob_key) throw preconditionFailed()
    },
  })
  return respond(dav, stored, modifiedAt)
}

async function respond(
  dav: DavRequest,
  { item, isNew }: { item: ItemRow; isNew: boolean },
  modifiedAt: number | undefined,
): Promise<unknown> {
  if (modifiedAt !== undefined) dav.reply.header('x-oc-mtime', 'accepted')
  await describeStored(dav, item)
  return dav.reply.status(isNew ? 201 : 204).send()
}

/** Lists the chunks that have arrived, so that a client can continue. */
const list: DavHandler = async (dav) => {
  const { ctx, reply, mount, path } = dav
  readDepth(dav, ['0', '1'], '1')
  await readXml(dav)
  const chunks = path.length === 0 ? [] : await listSequence(ctx, nameOf(dav))
  const folder = writeHref(mount, path.slice(0, 1), 'folder')
  const responses = chunks.map(({ number, size }) => {
    const properties = `<D:resourcetype/><D:getcontentlength>${size}</D:getcontentlength>`
    return writeResponse(folder + String(number).padStart(16, '0'), propstat(properties, 200))
  })
  const self = writeResponse(folder, propstat('<D:resourcetype><D:collection/></D:resourcetype>', 200))
  return reply
    .status(207)
    .type(XML_TYPE)
    .send(MULTISTATUS_START + self + responses.join('') + MULTISTATUS_END)
}

/** Gives up an upload, or takes back its last chunk. */
const remove: DavHandler = async (dav) => {
  const { ctx, reply, path } = dav
  const name = nameOf(dav)
  if (path.length === 1) await discardSequence(ctx, name)
  else await dropSequenceChunk(ctx, name, readChunk(dav).number)
  return reply.status(204).send()
}

/** An app password that may only upload can continue its uploads, so it can list them. */
export const uploadMethods: DavMethods = {
  MKCOL: { handler: begin, scope: 'upload' },
  PUT: { handler: receive, scope: 'upload' },
  MOVE: { handler: finish, scope: 'upload' },
  PROPFIND: { handler: list, scope: 'upload' },
  DELETE: { handler: remove, scope: 'upload' },
}

function nameOf({ path }: DavRequest): string {
  const [name] = path
  if (name === undefined || path.length > 2) throw new DavError(404, 'There is no upload at this address.')
  return name
}

/**
 * Reads the number of a chunk: `00001`, the first byte in 16 digits (ownCloud), or the first and the last byte (rclone),
 * `000000000000000-000000010485759`.
 */
function readChunk(dav: DavRequest): { number: number; offset: number | undefined } {
  const [, first, last] = /^(\d{1,16})(-\d{1,16})?$/.exec(dav.path[1] ?? '') ?? []
  const number = Number(first)
  if (!Number.isSafeInteger(number)) throw new DavError(400, 'The name of a chunk must be a number.')
  const isOffset = last !== undefined || first?.length === OFFSET_DIGITS
  const offset = last === undefined ? readNumber(headerOf(dav, 'oc-chunk-offset')) : undefined
  return { number, offset: offset ?? (isOffset ? number : undefined) }
}

/**
 * Does the work of a request with the destination as its path. If that lies in a shared folder, the upload is one of the member to that
 * folder; if it began before the client had said so, it becomes one.
 */
async function atDestination<T>(dav: DavRequest, name: string, work: (target: DavRequest) => Promise<T>): Promise<T> {
  if (headerOf(dav, 'destination') === undefined) return work(dav)
  return withinMount({ ...dav, path: destinationOf(dav) }, 'upload', async (target) => {
    if (target.home) endWhenRevoked(dav.ctx, target.ctx.user, dav.reply.raw)
    if (target.home) await adoptSequence(target.ctx, dav.ctx.user, name)
    return work(target)
  })
}

/** Finds where the file of an upload will be. */
async function findTarget(
  dav: DavRequest,
): Promise<{ found: Found; parent: NonNullable<Found['parent']>; filename: string }> {
  const destination = dav.path
  const found = await resolvePath(dav.ctx.db, dav.ctx.user, destination)
  const filename = destination.at(-1)
  if (filename === undefined || found.item?.kind === 'folder') throw conflict('A folder can’t be replaced by a file.')
  if (!found.parent) throw conflict('The folder of this file does not exist.')
  return { found, parent: found.parent, filename }
}
