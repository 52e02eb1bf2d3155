import { Readable } from 'node:stream'
import { MAX_SMALL_FILE, MEBIBYTE } from '@alcove/contract/limits'
import { type Digests, parseChecksums } from '../../../platform/crypto/checksums.ts'
import type { ItemRow } from '../../../platform/db/tables.ts'
import { describeError } from '../../../platform/http/error-handler.ts'
import { abortWhenIdle, drainRequest } from '../../../platform/http/request-bodies.ts'
import { readFileNumbers } from '../../items/index.ts'
import { DavError } from '../dav-error.ts'
import { readPath } from '../dav-path.ts'
import { type DavHandler, type DavMethods, type DavRequest, headerOf } from '../dav-request.ts'
import { withinMount } from '../enter-mount.ts'
import { etagOf } from '../etag.ts'
import { continueRequest } from '../expect-continue.ts'
import type { MountPoint } from '../mounts.ts'
import { readNumber, storeFile } from '../put.ts'
import { resolvePath } from '../resolve-path.ts'
import { readChecksums, scopeOf } from '../resource.ts'
import { type Part, readBoundary, readParts } from './multipart.ts'
import { writeItemId } from './remote-properties.ts'

/**
 * Bulk uploads of Nextcloud's desktop client: POST of a `multipart/related` body with up to a hundred files. Each part is stored or
 * refused as if it were a PUT of its own, with the conditions in its headers. The response has a result for each path.
 */

/** The client sends 100 files of less than 1 MB at a time. */
const MAX_FILES = 500
const MAX_BYTES = 512 * MEBIBYTE
/** How many small files are held in memory and stored at the same time. They share transactions and syncs. */
const AT_ONCE = 16

export const bulkPoint: MountPoint = {
  route: '/remote.php/dav/bulk',
  open: () => ({ prefix: '/remote.php/dav/bulk', isRemote: true }),
}

interface Stored {
  path: string
  item: Pick<ItemRow, 'id' | 'blob_key' | 'changed_in'>
  hasDate: boolean
}

type Result = Stored | { path: string; error: unknown }

const receive: DavHandler = async (dav) => {
  const { request, reply } = dav
  if (dav.path.length > 0) throw new DavError(404, 'Nothing is at this address.')
  const boundary = readBoundary(headerOf(dav, 'content-type'))
  const size = readNumber(headerOf(dav, 'content-length'))
  if (size === undefined) throw new DavError(411, 'A bulk upload must have a Content-Length.')
  if (size > MAX_BYTES) throw new DavError(413, `A bulk upload can have at most ${MAX_BYTES / MEBIBYTE} MiB.`)
  continueRequest(request)
  abortWhenIdle(request.raw)
  const bytes = request.raw.iterator({ destroyOnReturn: false })
  const results: Result[] = []
  const failure = await storeParts(dav, readParts(bytes, boundary), results).catch((error: unknown) => error)
  await bytes.return?.()
  if (failure !== undefined) {
    if (results.length === 0) throw failure
    drainRequest(request.raw)
  }
  // If the body is malformed, the client still needs to know what has been stored.
  reply.status(failure === undefined ? 200 : 400).type('application/json; charset=utf-8')
  return reply.send(JSON.stringify(await describeResults(dav, results)))
}

/** Stores parts as they arrive and adds their results. Throws if the body can't be read to its end. */
async function storeParts(dav: DavRequest, parts: AsyncIterable<Part>, results: Result[]): Promise<void> {
  const running = new Set<Promise<void>>()
  const paths = new Set<string>()
  try {
    for await (const part of parts) {
      const path = headerOf(part, 'x-file-path')
      if (path === undefined) throw new DavError(400, 'A part has no X-File-Path.')
      if (paths.has(path)) throw new DavError(400, 'Two parts have the same X-File-Path.')
      if (paths.add(path).size > MAX_FILES) throw new DavError(400, `At most ${MAX_FILES} files fit in one request.`)
      const body = await openPart(part)
      const storing = storePart(dav, path, part, body).then((result) => {
        results.push(result)
        running.delete(storing)
      })
      running.add(storing)
      if (part.size > MAX_SMALL_FILE) await storing
      else if (running.size >= AT_ONCE) await Promise.race(running)
    }
    await Promise.all(running)
  } finally {
    // Those that are still being stored have a result, too.
    await Promise.allSettled(running)
  }
}

/** Returns the bytes of a part. Small ones are read, so that the next part can be stored at the same time. */
async function openPart({ size, bytes }: Part): Promise<Readable> {
  if (size > MAX_SMALL_FILE) return Readable.from(bytes, { objectMode: false })
  const buffers: Buffer[] = []
  for await (const buffer of bytes) buffers.push(buffer)
  return Readable.from(buffers)
}

async function storePart(whole: DavRequest, path: string, { headers, size }: Part, body: Readable): Promise<Result> {
  const dav = {
    ...whole,
    headers: {
      'content-length': String(size),
      'if-match': headers['if-match'],
      'if-none-match': headers['if-none-match'],
      'x-oc-mtime': headers['x-oc-mtime'] ?? headers['x-file-mtime'],
      'oc-checksum': headers['oc-checksum'] ?? readMd5(headerOf({ headers }, 'x-file-md5')),
    },
  }
  try {
    const names = readPath({ prefix: '' }, path.split('/').map(encodeURIComponent).join('/')) ?? []
    const own = { ...dav, path: names }
    const stored = await withinMount(own, 'upload', (entered) =>
      storeFile(entered, () => body).catch((error: unknown) => findStored(entered, size, error)),
    )
    return { path, item: stored.item, hasDate: stored.hasDate }
  } catch (error) {
    if (body.errored) throw body.errored
    return { path, error }
  } finally {
    // The next part begins behind this one.
    if (!body.readableEnded && !body.errored) for await (const _ of body);
  }
}

/**
 * Returns the file if it was refused because it is there already. The client may send a file again while the first request runs, and
 * must not take its own change for one of another device.
 */
async function findStored(dav: DavRequest, size: number, error: unknown): Promise<Omit<Stored, 'path'>> {
  const isChanged = error instanceof DavError && error.status === 412
  const mayRead = scopeOf(dav) !== 'upload'
  const sent = Object.entries(parseChecksums(headerOf(dav, 'oc-checksum')))
  if (!isChanged || !mayRead || sent.length === 0) throw error
  const { item } = await resolvePath(dav.ctx.db, dav.ctx.user, dav.path)
  const key = item?.blob_key
  if (!item || typeof key !== 'string' || item.size !== size) throw error
  const stored = (await readChecksums(dav.ctx.db, [key])).get(key)
  if (!sent.every(([kind, digest]) => stored?.[kind as keyof Digests] === digest)) throw error
  return { item, hasDate: headerOf(dav, 'x-oc-mtime') !== undefined }
}

/** Clients send only the digest, or `MD5:` before it. */
function readMd5(header: string | undefined): string | undefined {
  return header === undefined || header.includes(':') ? header : `MD5:${header}`
}

async function describeResults({ ctx, request }: DavRequest, results: readonly Result[]): Promise<object> {
  const ids = results.flatMap((result) => ('item' in result ? [result.item.id] : []))
  const numbers = await readFileNumbers(ctx.db, ids)
  const describe = (result: Result) => {
    if ('item' in result) return describeStored(result, numbers.get(result.item.id))
    const { body } = describeError(result.error)
    if (body.code === 'internal') request.log.error({ err: result.error }, 'a file of a bulk upload was not stored')
    return { error: true, message: body.message }
  }
  return Object.fromEntries(results.map((result) => [result.path, describe(result)]))
}

/** The desktop client reads the names of headers, and others those that Nextcloud's server writes. */
function describeStored({ item, hasDate }: Stored, number: number | undefined): object {
  const etag = etagOf(item)
  return {
    error: false,
    ...{ etag, 'OC-ETag': etag },
    ...(number !== undefined && { fileid: writeItemId(number), 'OC-FileID': writeItemId(number) }),
    ...(hasDate && { 'X-OC-MTime': 'accepted' }),
  }
}

/** An app password that may only upload can add files, as with PUT. */
export const bulkMethods: DavMethods = { POST: { handler: receive, scope: 'upload' } }
