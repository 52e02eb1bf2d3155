import { Readable } from 'node:stream'
import { MAX_FILE_SIZE } from '@alcove/contract/limits'
import type { UserContext } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import { MAX_COLLECTED } from '../../../platform/blobs/blob-store.ts'
import { assertIntact, type Checksums, digestBytes } from '../../../platform/crypto/checksums.ts'
import type { StreamHash } from '../../../platform/crypto/stream-hasher.ts'
import type { ItemRow } from '../../../platform/db/tables.ts'
import { changeTree } from '../../items/index.ts'
import { onlySha256 } from '../../storage/index.ts'
import { prepareComparison, reclaimingSpace } from '../../versions/index.ts'
import { isCutOff, joinBuffers } from '../chunks/read-stream.ts'
import { type Arrival, commitFile } from '../commit-file.ts'
import { findExisting } from '../describe-conflict.ts'
import type { Destination } from '../destination.ts'
import { assertSize, readName, readTarget, type StreamTarget } from './assert-may-store.ts'
import { storingBlob } from './storing-blob.ts'
import { StreamedUpload } from './streamed-upload.ts'

/**
 * Larger files get their digests later if the client has sent none, because computing MD5 and SHA-1 takes longer than storing. In
 * bytes. Identical bytes aren't recognized before the response above this size anyway.
 */
const MAX_HASHED_ON_ARRIVAL = 64 * 1024 * 1024

interface StreamOptions {
  /** The announced size. */
  size?: number | undefined
  /** The file's own modification date. Defaults to now. */
  modifiedAt?: number | undefined
  /** Digests of the bytes as the client computed them. */
  checksums?: Checksums | undefined
  /**
   * Checks the file that is about to be replaced, or that there is none, in the transaction that commits and with the tree locked.
   * Throws to refuse.
   */
  assertMayReplace?: ((existing: ItemRow | undefined) => void) | undefined
}

/** What will become a file when its bytes have arrived. */
interface Coming {
  filename: string
  destination: Destination
  size: number | undefined
  checksums: Checksums
  assertMayReplace: (existing: ItemRow | undefined) => void
}

/**
 * Makes a file of the body of one request. If a file has the name, it gets the new bytes and keeps the old ones as a version. The
 * file appears when all bytes are on stable storage; after any failure everything is as before. The rest of a refused body is left
 * unread in the stream.
 */
export async function storeStream(
  ctx: UserContext,
  target: StreamTarget,
  body: Readable,
  { size, modifiedAt, checksums = {}, assertMayReplace }: StreamOptions = {},
): Promise<{ item: ItemRow; isNew: boolean }> {
  // It may fail while nobody reads it. The reader gets the error later; it must not end the process.
  body.on('error', () => {})
  if (size !== undefined) assertSize(size)
  let isNew = false
  const coming: Coming = {
    filename: readName(target),
    destination: { ...readTarget(ctx.user, target), lastModified: modifiedAt },
    size,
    checksums,
    assertMayReplace: (existing) => {
      assertMayReplace?.(existing)
      isNew = existing === undefined
    },
  }
  const buffers = body.iterator({ destroyOnReturn: false }) as AsyncGenerator<Buffer>
  try {
    const beginning = await readBeginning(buffers, size)
    const item = beginning.isWhole
      ? await storeSmall(ctx, coming, joinBuffers(beginning.buffers, beginning.size))
      : await storeLarge(ctx, coming, continueWith(beginning.buffers, buffers))
    return { item, isNew }
  } catch (error) {
    throw isCutOff(error) ? cutOff() : error
  } finally {
    buffers.return(undefined).catch(() => {})
  }
}

interface Beginning {
  buffers: Buffer[]
  size: number
  isWhole: boolean
}

/** Reads a small body completely, and of one that may be small as much as a small one can have. */
async function readBeginning(bytes: AsyncGenerator<Buffer>, announced: number | undefined): Promise<Beginning> {
  const beginning: Beginning = { buffers: [], size: 0, isWhole: false }
  if (announced !== undefined && announced > MAX_COLLECTED) return beginning
  while (beginning.size <= (announced ?? MAX_COLLECTED)) {
    const next = await bytes.next()
    if (next.done) {
      if (announced !== undefined && beginning.size < announced) throw cutOff()
      return { ...beginning, isWhole: true }
    }
    beginning.buffers.push(next.value)
    beginning.size += next.value.length
  }
  if (announced !== undefined) throw longerThan(announced)
  return beginning
}

async function storeSmall(ctx: UserContext, coming: Coming, content: Uint8Array<ArrayBuffer>): Promise<ItemRow> {
  const { filename, destination, checksums, assertMayReplace } = coming
  return storingBlob(ctx, async (blobKey, onCommit) => {
    // Hashes while the disk writes.
    const written = ctx.blobs.writeWhole(blobKey, content)
    const digests = digestBytes(content)
    await written
    assertIntact(checksums, digests)
    const arrival: Arrival = {
      ...{ filename, destination, blobKey, digests, assertMayReplace },
      size: content.length,
      reserved: 0,
    }
    onCommit()
    return reclaimingSpace(ctx, () => changeTree(ctx, (tx) => commitFile(ctx, tx, arrival)))
  })
}

async function storeLarge(ctx: UserContext, coming: Coming, bytes: AsyncGenerator<Buffer>): Promise<ItemRow> {
  const { filename, destination, checksums, assertMayReplace } = coming
  const upload = await StreamedUpload.open(ctx, coming)
  const hash = isHashedOnArrival(ctx, coming) ? ctx.streamHasher.open() : undefined
  try {
    const admitted = Readable.from(admitting(bytes, coming.size, { upload, hash }), { objectMode: false })
    const size = await ctx.blobs.streamWhole(upload.blobKey, admitted, coming.size ?? MAX_FILE_SIZE)
    const digests = await hash?.digest()
    if (digests) assertIntact(checksums, digests)
    const existing = await findExisting(ctx, ctx.db, destination, filename)
    if (existing?.kind === 'file') await prepareComparison(ctx, existing, size)
    return await upload.commit({ size, digests: digests ?? onlySha256(null), assertMayReplace })
  } catch (error) {
    await upload.discard()
    throw error
  } finally {
    hash?.drop()
  }
}

/** A bucket is far away: its bytes are better hashed while they pass than fetched again. */
function isHashedOnArrival({ config }: UserContext, { size, checksums }: Coming): boolean {
  return (
    size === undefined || size <= MAX_HASHED_ON_ARRIVAL || Object.keys(checksums).length > 0 || config.s3 !== undefined
  )
}

/** Passes on bytes when their space is reserved, and hashes them if that is wanted. Throws if there are not as many as were announced. */
async function* admitting(
  bytes: AsyncGenerator<Buffer>,
  announced: number | undefined,
  { upload, hash }: { upload: StreamedUpload; hash: StreamHash | undefined },
): AsyncGenerator<Buffer> {
  let total = 0
  for await (const buffer of bytes) {
    total += buffer.length
    if (announced !== undefined && total > announced) throw longerThan(announced)
    assertSize(total)
    await upload.admit(total)
    const hashed = hash?.update(buffer)
    // The store may stop reading, and then nobody awaits it.
    hashed?.catch(() => {})
    yield buffer
    await hashed
  }
  if (announced !== undefined && total < announced) throw cutOff()
}

async function* continueWith(beginning: readonly Buffer[], rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield* beginning
  yield* rest
}

function cutOff(): AppError {
  return new AppError('malformed', 'The file did not arrive completely. Send it again.')
}

function longerThan(announced: number): AppError {
  return new AppError('malformed', `More bytes arrived than the ${announced} that were announced. Send the file again.`)
}
