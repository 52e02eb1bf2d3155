import { hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { ParsedInputOf, ResponseOf } from '@alcove/contract/call'
import { calls } from '@alcove/contract/calls'
import type { File } from '@alcove/contract/items'
import { MAX_BYTES_TOGETHER, MAX_CHUNK_SIZE, MAX_SMALL_FILE } from '@alcove/contract/limits'
import { uploadChunk } from '@alcove/contract/uploads'
import type { UserContext } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import type { UploadRow } from '../../../platform/db/tables.ts'
import { formEndpoint } from '../../../platform/http/api.ts'
import { describeError } from '../../../platform/http/error-handler.ts'
import type { IncomingForm } from '../../../platform/http/incoming-form.ts'
import { assertSpaceFor, assertSpaceForItem } from '../../items/index.ts'
import { collectBytes, reading } from '../chunks/read-stream.ts'
import { assertNameFree } from '../describe-conflict.ts'
import { openDestination, readDestination } from '../destination.ts'
import { findOwnUpload, findOwnUploads, presentUploaded } from '../own-upload.ts'
import { type StoredBytes, storeWholeFile } from './store-whole-file.ts'

type SmallFile = ParsedInputOf<typeof calls.uploadFiles>['files'][number]
type Result = ResponseOf<typeof calls.uploadFiles>['results'][number]

/**
 * Takes many small files in with one request. Each is an upload like any other, and stored or refused by itself; those
 * that come together share their transactions and syncs. Sent again, what was stored is answered as it is.
 */
export const receiveFiles = formEndpoint(calls.uploadFiles, async (ctx, form) => {
  const { files } = calls.uploadFiles.input.parse(form.fields)
  const total = files.reduce((sum, { size }) => sum + size, 0)
  if (total > MAX_BYTES_TOGETHER) throw new AppError('too_large', 'Files that are sent together have at most 1 MiB.')
  if (new Set(files.map(({ uploadId }) => uploadId)).size < files.length) {
    throw new AppError('malformed', 'Each file needs an uploadId of its own.')
  }
  const known = await findOwnUploads(
    ctx.db,
    ctx.user,
    files.map(({ uploadId }) => uploadId),
  )
  const bytes = await reading(collectBytes(form.file, total))
  if (bytes.length < total)
    throw new AppError('size_mismatch', `${bytes.length} bytes have arrived, but ${total} were announced.`)
  await form.readRest()

  let start = 0
  const stores = files.map((file) => {
    const content = bytes.subarray(start, start + file.size)
    start += file.size
    const upload = known.get(file.uploadId)
    return upload ? presentStored(ctx, upload) : store(ctx, file, content)
  })
  const outcomes = await Promise.allSettled(stores)
  return {
    status: 200,
    body: { results: outcomes.map((outcome, index) => describe(ctx, files[index] as SmallFile, outcome)) },
  }
})

async function store(ctx: UserContext, file: SmallFile, content: Uint8Array): Promise<File> {
  try {
    return await storeWholeFile(ctx, file, async (blobKey) => {
      const written = ctx.blobs.writeWhole(blobKey, content)
      const sha256 = hash('sha256', content)
      await written
      return { file, stored: { size: content.length, sha256 } }
    })
  } catch (error) {
    // Sent twice at once: then the response of the other is ours too.
    const upload = await findOwnUpload(ctx.db, ctx.user, file.uploadId)
    if (upload && upload.completed_at !== null) return presentStored(ctx, upload)
    throw error
  }
}

/** The file of an upload that was there before. */
async function presentStored({ db, user }: UserContext, upload: UploadRow): Promise<File> {
  if (upload.completed_at !== null) return presentUploaded(db, user, upload)
  throw new AppError('state_conflict', 'This upload has begun in chunks, and goes on that way.')
}

function describe(ctx: UserContext, { uploadId }: SmallFile, outcome: PromiseSettledResult<File>): Result {
  if (outcome.status === 'fulfilled') return { uploadId, status: 201, file: outcome.value }
  const { status, body } = describeError(outcome.reason)
  if (status >= 500) ctx.log.error({ err: outcome.reason }, 'a file that came with others could not be stored')
  return { uploadId, status, refusal: body }
}

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
