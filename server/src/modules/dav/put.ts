import type { Readable } from 'node:stream'
import { MAX_FILE_DATE } from '@alcove/contract/limits'
import { MAX_COLLECTED } from '../../platform/blobs/blob-store.ts'
import { parseChecksums } from '../../platform/crypto/checksums.ts'
import type { ItemRow } from '../../platform/db/tables.ts'
import { abortWhenIdle } from '../../platform/http/request-bodies.ts'
import { assertUnlocked } from '../items/index.ts'
import { assertFits, assertMayStore, storeStream } from '../uploads/index.ts'
import { conflict, DavError, preconditionFailed } from './dav-error.ts'
import { type DavHandler, type DavRequest, headerOf } from './dav-request.ts'
import { etagOf } from './etag.ts'
import { continueRequest, isWaiting } from './expect-continue.ts'
import { assertPreconditions, isConditional } from './preconditions.ts'
import { describeStored } from './remote/describe-stored.ts'
import { resolvePath } from './resolve-path.ts'

/** Stores the body as a file. */
export const put: DavHandler = async (dav) => {
  const { request, reply } = dav
  if (request.headers['content-range'] !== undefined) {
    throw new DavError(400, 'A part of a file can’t be replaced. Send the whole file without Content-Range.')
  }
  const { item, isNew, hasDate } = await storeFile(dav, () => {
    continueRequest(request)
    abortWhenIdle(request.raw)
    return request.raw
  })
  if (hasDate) reply.header('x-oc-mtime', 'accepted')
  reply.header('etag', etagOf(item) as string)
  await describeStored(dav, item)
  return reply.status(isNew ? 201 : 204).send()
}

/** A file that a client has sent. */
export interface SentFile {
  item: ItemRow
  isNew: boolean
  /** Whether it has the date that the client sent. */
  hasDate: boolean
}

/**
 * Stores bytes at the path of a request as a file, which becomes visible as a whole. Everything that can be checked is checked before
 * `open` is called for them. Of a small new file that is on its way anyway, only the space is checked.
 */
export async function storeFile(dav: DavRequest, open: () => Readable): Promise<SentFile> {
  const { ctx, path } = dav
  const found = await resolvePath(ctx.db, ctx.user, path)
  const { item, parent } = found
  if (path.length === 0 || item?.kind === 'folder') throw new DavError(405, 'A folder can’t be replaced by a file.')
  if (!parent) throw conflict('The folder of this file does not exist.')
  await assertPreconditions(ctx.db, dav, found)
  const size = readNumber(headerOf(dav, 'content-length'))
  const checksums = parseChecksums(headerOf(dav, 'oc-checksum'))
  const modifiedAt = readDate(headerOf(dav, 'x-oc-mtime'))
  const target = { folderId: parent.id, filename: path.at(-1) as string }
  if (item || size === undefined || size > MAX_COLLECTED || isWaiting(dav.request)) {
    await assertUnlocked(ctx.db, ctx.user, ctx.clock.now(), [(item ?? parent).id])
    // macOS announces the size of a body that it sends in chunks.
    await assertMayStore(ctx, target, size ?? readNumber(headerOf(dav, 'x-expected-entity-length')))
  } else {
    await assertFits(ctx, size)
  }
  const stored = await storeStream(ctx, target, open(), {
    size,
    modifiedAt,
    checksums,
    assertMayReplace: (existing) => {
      // The conditions were met by what was there before. If that has changed, the client must look again.
      if (isConditional(dav) && existing?.blob_key !== item?.blob_key) throw preconditionFailed()
    },
  })
  return { ...stored, hasDate: modifiedAt !== undefined }
}

export function readNumber(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,15}$/.test(header) ? Number(header) : undefined
}

/** Reads `X-OC-Mtime`, in seconds since 1970. Dates that a file can't have are left out. */
export function readDate(header: string | undefined): number | undefined {
  if (header === undefined || !/^\d{1,12}(\.\d+)?$/.test(header)) return undefined
  const time = Math.round(Number(header) * 1000)
  return time <= MAX_FILE_DATE ? time : undefined
}
