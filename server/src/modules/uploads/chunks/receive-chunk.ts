import { Readable } from 'node:stream'
import type { ParsedInputOf } from '@alcove/contract/call'
import { calls } from '@alcove/contract/calls'
import { MAX_CHUNK_SIZE } from '@alcove/contract/limits'
import type { UploadedFile } from '@alcove/contract/uploads'
import type { UserContext } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import { type FormOperation, formEndpoint } from '../../../platform/http/api.ts'
import type { IncomingForm } from '../../../platform/http/incoming-form.ts'
import { finishUpload } from '../complete-upload.ts'
import { forVisitors } from '../visitors/for-visitors.ts'
import { isWholeFile, receiveWholeFile } from '../whole-files/receive-whole-files.ts'
import { countChunks } from './chunk-rows.ts'
import { isInFlight, whileInFlight } from './chunks-in-flight.ts'
import { claimChunk } from './claim-chunk.ts'
import { chunkTooLarge, collectBytes, reading } from './read-stream.ts'
import { placeChunk, recordChunk } from './record-chunk.ts'
import { isOnlyChunk, storeOnlyChunk } from './store-only-chunk.ts'

type ChunkResponse = Awaited<ReturnType<FormOperation<typeof calls.uploadChunk>>>
type ChunkInput = ParsedInputOf<typeof calls.uploadChunk>

/**
 * Receives one chunk. If the fields of the form come first, the bytes are written to their final place. If the bytes
 * come first, or their place depends on unknown sizes, they are staged and placed afterwards.
 */
export const receiveChunk = formEndpoint(
  calls.uploadChunk,
  forVisitors(async (ctx, form) => {
    const early = calls.uploadChunk.input.safeParse(form.fields)
    if (!early.success) return receiveUnknown(ctx, form)
    const { data } = early
    assertIndex(data)
    const whole = isWholeFile(data) ? await receiveWholeFile(ctx, data, form) : undefined
    if (whole && 'file' in whole) return { status: 201, body: whole.file }
    // A whole file that was not stored belongs to a known upload, which has a place for its bytes.
    const receive = () => (whole ? receiveInPlace(ctx, data, whole.form) : receiveKnown(ctx, data, form))
    const arrived = await whileInFlight(data.uploadId, data.chunkIndex, form, receive)
    return 'file' in arrived ? { status: 201, body: arrived.file } : finish(ctx, arrived)
  }),
)

/** The result for a chunk: it has arrived, or the upload had already become a file. */
type Arrived = { input: ChunkInput; isAll?: boolean } | { file: UploadedFile }

async function receiveKnown(ctx: UserContext, early: ChunkInput, form: IncomingForm): Promise<Arrived> {
  if (!isOnlyChunk(early, form.estimatedSize)) return receiveInPlace(ctx, early, form)
  const bytes = await reading(collectBytes(form.file, early.totalSize ?? MAX_CHUNK_SIZE))
  const input = await readInput(form)
  if (await storeOnlyChunk(ctx, early, bytes)) return { input, isAll: true }
  return receiveInPlace(ctx, early, { ...form, file: Readable.from([bytes], { objectMode: false }) })
}

async function receiveInPlace(ctx: UserContext, early: ChunkInput, form: IncomingForm): Promise<Arrived> {
  const claim = await claimChunk(ctx, early, form.estimatedSize)
  if (claim.file) return { file: claim.file }
  if (claim.offset === undefined) {
    const staged = await reading(ctx.blobs.stageChunk(form.file, claim.maxSize))
    try {
      const input = await readInput(form)
      await placeChunk(ctx, input, claim, staged)
      return { input }
    } finally {
      await ctx.blobs.dropStagedChunk(staged)
    }
  }
  const isLast = early.chunkIndex === early.totalChunks - 1
  const place = { index: early.chunkIndex, offset: claim.offset, isLast }
  const size = await reading(ctx.blobs.writeChunk(claim.blobKey, place, form.file, claim.maxSize))
  const input = await readInput(form)
  await recordChunk(ctx, input, claim, { size, isParked: false })
  return { input }
}

/** Stages bytes that come before the fields. */
async function receiveUnknown(ctx: UserContext, form: IncomingForm): Promise<ChunkResponse> {
  const staged = await reading(ctx.blobs.stageChunk(form.file, MAX_CHUNK_SIZE))
  try {
    const input = await readInput(form)
    assertIndex(input)
    const arrived = await whileInFlight(input.uploadId, input.chunkIndex, form, async (): Promise<Arrived> => {
      const claim = await claimChunk(ctx, input, staged.size)
      if (claim.file) return { file: claim.file }
      if (staged.size > claim.maxSize) throw chunkTooLarge()
      await placeChunk(ctx, input, claim, staged)
      return { input }
    })
    return 'file' in arrived ? { status: 201, body: arrived.file } : await finish(ctx, arrived)
  } finally {
    await ctx.blobs.dropStagedChunk(staged)
  }
}

async function finish(
  ctx: UserContext,
  { input, isAll }: Exclude<Arrived, { file: UploadedFile }>,
): Promise<ChunkResponse> {
  const received = isAll ? 1 : await countChunks(ctx.db, input.uploadId)
  // If the same chunk is in flight again, that request completes the upload.
  const isLast = received === input.totalChunks && !isInFlight(input.uploadId, input.chunkIndex)
  if (input.complete && isLast) {
    return { status: 201, body: await finishUpload(ctx, input) }
  }
  return { status: 200, body: { uploadId: input.uploadId, chunkIndex: input.chunkIndex, received } }
}

async function readInput(form: IncomingForm): Promise<ChunkInput> {
  return calls.uploadChunk.input.parse(await form.readRest())
}

function assertIndex({ chunkIndex, totalChunks }: ChunkInput): void {
  if (chunkIndex >= totalChunks) {
    throw new AppError(
      'malformed',
      `The chunk index ${chunkIndex} is outside the ${totalChunks} chunks of this upload.`,
    )
  }
}
