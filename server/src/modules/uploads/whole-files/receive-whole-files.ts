import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { ParsedInputOf, ResponseOf } from '@alcove/contract/call'
import { calls } from '@alcove/contract/calls'
import { MAX_BYTES_TOGETHER, MAX_CHUNK_SIZE } from '@alcove/contract/limits'
import type { UploadedFile } from '@alcove/contract/uploads'
import { uploadChunk } from '@alcove/contract/uploads'
import type { UserContext } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import { MAX_COLLECTED } from '../../../platform/blobs/blob-store.ts'
import type { UploadRow } from '../../../platform/db/tables.ts'
import { formEndpoint } from '../../../platform/http/api.ts'
import { describeError } from '../../../platform/http/error-handler.ts'
import type { IncomingForm } from '../../../platform/http/incoming-form.ts'
import { assertSpaceFor, assertSpaceForItem } from '../../items/index.ts'
import { countingReclaimable } from '../../versions/index.ts'
import { collectBytes, reading } from '../chunks/read-stream.ts'
import { assertNameFree } from '../describe-conflict.ts'
import { assertMayWrite, openDestination, readDestination } from '../destination.ts'
import { findOwnUpload, findOwnUploads, presentUploaded, UploadKnown } from '../own-upload.ts'
import { hideOwner } from '../visitors/for-visitors.ts'
import { assertLinkAllows } from '../visitors/link-limits.ts'
import { type StoredBytes, storeWholeFile } from './store-whole-file.ts'

type SmallFile = ParsedInputOf<typeof calls.uploadFiles>['files'][number]
type Result = ResponseOf<typeof calls.uploadFiles>['results'][number]

/**
 * Receives many small files in one request. Each is an upload of its own and stored or refused individually, but they
 * share transactions and syncs. Files that were sent before are returned as stored.
 */
export const receiveFiles = formEndpoint(calls.uploadFiles, async (ctx, form) => {
  const { files } = calls.uploadFiles.input.parse(form.fields)
  const total = files.reduce((sum, { size }) => sum + size, 0)
  if (total > MAX_BYTES_TOGETHER)
    throw new AppError('too_large', 'Files sent together can have at most 1 MiB in total.')
  if (new Set(files.map(({ uploadId }) => uploadId)).size < files.length) {
    throw new AppError('malformed', 'Each file needs its own uploadId.')
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

async function store(ctx: UserContext, file: SmallFile, content: Uint8Array): Promise<UploadedFile> {
  try {
    return await storeWholeFile(ctx, file, async (blobKey) => {
      const written = ctx.blobs.writeWhole(blobKey, content)
      const sha256 = hash('sha256', content)
      await written
      return { file, stored: { size: content.length, sha256 } }
    })
  } catch (error) {
    // The same file was sent twice at once, so the other request's result counts.
    const upload = await findOwnUpload(ctx.db, ctx.user, file.uploadId)
    if (upload && upload.completed_at !== null) return presentStored(ctx, upload)
    throw error
  }
}

/** Returns the file of an earlier upload. */
async function presentStored({ db, user }: UserContext, upload: UploadRow): Promise<UploadedFile> {
  if (upload.completed_at !== null) return presentUploaded(db, user, upload)
  throw new AppError('state_conflict', 'This upload was started in chunks. Send the rest in chunks too.')
}

function describe(ctx: UserContext, { uploadId }: SmallFile, outcome: PromiseSettledResult<UploadedFile>): Result {
  if (outcome.status === 'fulfilled') return { uploadId, status: 201, file: outcome.value }
  const { status, body } = describeError(hideOwner(ctx.user, outcome.reason))
  if (status >= 500) ctx.log.error({ err: outcome.reason }, 'a file sent together with others could not be stored')
  return { uploadId, status, refusal: body }
}

type ChunkInput = ParsedInputOf<typeof uploadChunk>

/** For files larger than this, destination and free space are checked before any byte is written. */
const EARLY_CHECK_SIZE = 1024 * 1024

/** Returns whether a chunk is a whole file that is completed at once, so that one transaction is enough. */
export function isWholeFile(input: ChunkInput): boolean {
  return input.totalChunks === 1 && input.complete === true
}

/**
 * Receives a whole file in one request and one transaction, which matters for folders with ten thousand small files. If the upload
 * is known already, returns the form to go on with.
 */
export async function receiveWholeFile(
  ctx: UserContext,
  early: ChunkInput,
  form: IncomingForm,
): Promise<{ file: UploadedFile } | { form: IncomingForm }> {
  const isSmall = early.totalSize !== undefined && early.totalSize <= MAX_COLLECTED
  // Hardly any upload is known. So a small file is looked for only in the transaction that would create it.
  if (!isSmall && (await findOwnUpload(ctx.db, ctx.user, early.uploadId))) return { form }
  if (early.totalSize === undefined || early.totalSize > EARLY_CHECK_SIZE) await assertMayStoreEarly(ctx, early)
  let content: Uint8Array = new Uint8Array()
  async function write(blobKey: string) {
    const received = await receiveBytes(ctx, early.totalSize ?? guessSize(form), blobKey, form.file)
    content = received.content
    const { stored } = received
    const fields = await form.readRest()
    // If nothing follows the bytes, the form has been read completely.
    const input = fields === form.fields ? early : uploadChunk.input.parse(fields)
    if (input.totalSize !== undefined && input.totalSize !== stored.size) {
      throw new AppError('size_mismatch', `${stored.size} bytes have arrived, but ${input.totalSize} were announced.`)
    }
    return { file: input, stored }
  }
  try {
    return { file: await storeWholeFile(ctx, early, write, { isNew: !isSmall }) }
  } catch (error) {
    if (!(error instanceof UploadKnown)) throw error
    return { form: { ...form, file: Readable.from([content], { objectMode: false }) } }
  }
}

/** Refuses a large file before any of its bytes is written. */
async function assertMayStoreEarly(ctx: UserContext, early: ChunkInput): Promise<void> {
  if (ctx.user.submission)
    assertLinkAllows(ctx.user.submission, { filename: early.filename, size: early.totalSize ?? 0 })
  const destination = readDestination(ctx.user, early)
  await openDestination(ctx.db, ctx.user, destination)
  await assertMayWrite(ctx, ctx.db, destination, early.filename)
  if (destination.onConflict === 'fail') await assertNameFree(ctx, ctx.db, destination, early.filename)
  if (destination.onConflict !== 'replace') await assertSpaceForItem(ctx.db, ctx)
  await countingReclaimable(ctx, () => assertSpaceFor(ctx.db, ctx.user, early.totalSize ?? 0))
}

/** Allowance for forms with unusually short headers, whose file is larger than estimated. In bytes. */
const ESTIMATE_SLACK = 1024

/** Returns a size that a file whose size wasn't announced doesn't exceed, as far as the length of the request tells it. */
function guessSize({ estimatedSize }: IncomingForm): number | undefined {
  return estimatedSize === undefined ? undefined : estimatedSize + ESTIMATE_SLACK
}

/** Writes small files at once and others as they arrive. Returns the content of small ones. */
async function receiveBytes(
  ctx: UserContext,
  size: number | undefined,
  blobKey: string,
  bytes: Readable,
): Promise<{ stored: StoredBytes; content: Uint8Array }> {
  if (size === undefined || size > MAX_COLLECTED) {
    const streamed = await reading(ctx.blobs.streamWhole(blobKey, bytes, MAX_CHUNK_SIZE))
    return { stored: { size: streamed, sha256: null }, content: new Uint8Array() }
  }
  const content = await reading(collectBytes(bytes, MAX_COLLECTED))
  // Hashes while the disk writes.
  const written = ctx.blobs.writeWhole(blobKey, content)
  const sha256 = hash('sha256', content)
  await written
  return { stored: { size: content.length, sha256 }, content }
}
