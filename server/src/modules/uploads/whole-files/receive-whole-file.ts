import { hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { ParsedInputOf } from '@alcove/contract/call'
import type { File } from '@alcove/contract/items'
import { MAX_CHUNK_SIZE, MAX_SMALL_FILE } from '@alcove/contract/limits'
import { uploadChunk } from '@alcove/contract/uploads'
import type { UserContext } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import type { IncomingForm } from '../../../platform/http/incoming-form.ts'
import { assertSpaceFor, assertSpaceForItem } from '../../items/index.ts'
import { collectBytes, reading } from '../chunks/read-stream.ts'
import { assertNameFree } from '../describe-conflict.ts'
import { openDestination, readDestination } from '../destination.ts'
import { findOwnUpload } from '../own-upload.ts'
import { type StoredBytes, storeWholeFile } from './store-whole-file.ts'

type ChunkInput = ParsedInputOf<typeof uploadChunk>

/** From this size on it is worth looking first whether the bytes can be kept at all. */
const WORTH_ASKING = 1024 * 1024

/** Whether a chunk is a whole file, to be completed at once: then one transaction is all it takes. */
export function isWholeFile(input: ChunkInput): boolean {
  return input.totalChunks === 1 && input.complete === true
}

/**
 * Takes a whole file in with one request and one transaction, as ten thousand small files of a folder want it. Answers
 * undefined, without having read any bytes, when the upload has begun otherwise.
 */
export async function receiveWholeFile(
  ctx: UserContext,
  early: ChunkInput,
  form: IncomingForm,
): Promise<{ status: 201; body: File } | undefined> {
  if (await findOwnUpload(ctx.db, ctx.user, early.uploadId)) return undefined
  if (early.totalSize === undefined || early.totalSize > WORTH_ASKING) {
    const destination = readDestination(early)
    await openDestination(ctx.db, ctx.user, destination)
    if (destination.onConflict === 'fail') await assertNameFree(ctx, ctx.db, destination, early.filename)
    if (destination.onConflict !== 'replace') await assertSpaceForItem(ctx.db, ctx)
    await assertSpaceFor(ctx.db, ctx.user, early.totalSize ?? 0)
  }
  const file = await storeWholeFile(ctx, early, async (blobKey) => {
    const stored = await receiveBytes(ctx, early, blobKey, form.file)
    const fields = await form.readRest()
    // Where nothing came after the bytes, all has been read already.
    const input = fields === form.fields ? early : uploadChunk.input.parse(fields)
    if (input.totalSize !== undefined && input.totalSize !== stored.size) {
      throw new AppError('size_mismatch', `${stored.size} bytes have arrived, but ${input.totalSize} were announced.`)
    }
    return { file: input, stored }
  })
  return { status: 201, body: file }
}

/** Small files are written in one go, all others as they come. */
async function receiveBytes(
  ctx: UserContext,
  early: ChunkInput,
  blobKey: string,
  bytes: Readable,
): Promise<StoredBytes> {
  if (early.totalSize === undefined || early.totalSize > MAX_SMALL_FILE) {
    const size = await reading(ctx.blobs.streamWhole(blobKey, bytes, MAX_CHUNK_SIZE))
    return { size, sha256: null }
  }
  const content = await reading(collectBytes(bytes, MAX_SMALL_FILE))
  // While the disk is written to.
  const written = ctx.blobs.writeWhole(blobKey, content)
  const sha256 = hash('sha256', content)
  await written
  return { size: content.length, sha256 }
}
