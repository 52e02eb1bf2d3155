import type { File as StoredFile } from '@alcove/contract/items'
import type { OnConflict } from '@alcove/contract/uploads'
import { ApiError } from '../../api/api.ts'
import { type RetryOptions, withRetries } from '../../api/retries.ts'
import type { UploadEnvironment } from '../engine/upload-environment.ts'
import type { ChunkBytes, UploadSource } from '../engine/upload-source.ts'
import { type ChunkPlan, chunkLength, chunkRange, isSendable } from './chunk-plan.ts'
import { isSmallFile } from './small-file-sender.ts'

/** Where an upload lands: below a folder, or the root, by a path whose folders the server creates. */
export interface UploadDestination {
  readonly parentFolderId?: string
  readonly relativePath?: string
  readonly isEncrypted?: boolean
}

export interface ChunkedUpload {
  readonly uploadId: string
  readonly source: UploadSource
  readonly destination: UploadDestination
  readonly plan: ChunkPlan
  readonly onConflict?: OnConflict
  /** The upload has been begun before: ask the server what it has, and send only the rest. */
  readonly resumes?: boolean
  /** Of the chunks that the server has, those that count; all of them where this is absent. */
  readonly proven?: ReadonlySet<number>
  readonly signal: AbortSignal
  /** Told when a chunk is about to be sent, which waits for what this gives. */
  readonly onChunk?: (index: number, chunk: ChunkBytes) => void | Promise<void>
  /** Told how many bytes of the file the server has or is getting; first of all, what it had, when the upload resumes. */
  readonly onProgress?: (sentBytes: number) => void
  /** Told when something failed and is about to be tried again. */
  readonly onRetry?: () => void
}

/** Why an upload cannot go on, in words fit to show; `cause` is what happened. */
export class UploadFailed extends Error {
  override readonly name = 'UploadFailed'
}

const CHUNKS_AT_ONCE = 4
/** On a slow connection more chunks at once are no faster, but more is lost when the page goes before they are there. */
const FIRST_AT_ONCE = 2
const QUICK = 5000
/** How often a completion may be told that chunks are missing before that is an error. */
const COMPLETION_ROUNDS = 5

/**
 * Sends a file in chunks, a few at once, and gives back the file as it is stored. A passing trouble is waited out, what
 * the server has already is not sent again. Rejects with the signal's reason, with the `ApiError` of a response that
 * settles the matter (no room, no session, the name is taken), or with `UploadFailed`.
 */
export async function uploadInChunks(upload: ChunkedUpload, environment: UploadEnvironment): Promise<StoredFile> {
  if (!isSendable(upload.plan)) throw new UploadFailed('This file is too large to upload.')
  const progress = trackProgress(upload)
  const missing = new Set(Array.from({ length: upload.plan.totalChunks }, (_, index) => index))
  if (upload.resumes) {
    const known = await findUpload(upload, environment)
    if (known?.file) return known.file
    const counts = (index: number) => upload.proven?.has(index) ?? true
    const received = (known?.received ?? []).filter((index) => counts(index) && missing.delete(index))
    progress.resume(received)
  }
  if (upload.plan.totalChunks === 1 && missing.size === 1) {
    const stored = await sendChunk(upload, environment, 0, progress)
    return stored ?? (await complete(upload, environment))
  }
  for (let round = 1; ; round += 1) {
    await sendChunks(upload, environment, missing, progress)
    try {
      return await complete(upload, environment)
    } catch (error) {
      const lost = error instanceof ApiError ? error.body?.missing : undefined
      if (!lost?.length || round === COMPLETION_ROUNDS) throw error
      for (const index of lost) {
        missing.add(index)
        progress.forget(index)
      }
    }
  }
}

type Progress = ReturnType<typeof trackProgress>

/** Adds up what the chunks report; a chunk that starts again takes back what it had reported. */
function trackProgress({ plan, onProgress }: ChunkedUpload) {
  const sent = new Map<number, number>()
  let total = 0
  const set = (index: number, bytes: number) => {
    total += bytes - (sent.get(index) ?? 0)
    sent.set(index, bytes)
  }
  const report = (index: number, bytes: number) => {
    set(index, bytes)
    onProgress?.(total)
  }
  return {
    report,
    settle: (index: number) => report(index, chunkLength(plan, index)),
    forget: (index: number) => report(index, 0),
    resume: (received: number[]) => {
      for (const index of received) set(index, chunkLength(plan, index))
      onProgress?.(total)
    },
  }
}

async function findUpload(upload: ChunkedUpload, environment: UploadEnvironment) {
  try {
    return await withRetries(
      () => environment.transport.getUpload(upload.uploadId, upload.signal),
      retryOptions(upload, environment),
    )
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined // never begun, or expired
    throw error
  }
}

/** Sends the missing chunks, a few at once; each is taken off `missing` when the server has it. */
async function sendChunks(
  upload: ChunkedUpload,
  environment: UploadEnvironment,
  missing: Set<number>,
  progress: Progress,
): Promise<void> {
  const indexes = [...missing]
  const failure = new AbortController()
  const one = { ...upload, signal: AbortSignal.any([upload.signal, failure.signal]) }
  let running = 0
  try {
    await new Promise<void>((resolve, reject) => {
      const sendInTurn = async () => {
        running += 1
        for (let index = indexes.shift(); index !== undefined; index = indexes.shift()) {
          const startedAt = performance.now()
          await sendChunk(one, environment, index, progress)
          missing.delete(index)
          const isQuick = performance.now() - startedAt < QUICK
          if (isQuick && running < CHUNKS_AT_ONCE && indexes.length > 0) sendInTurn().catch(reject)
        }
        running -= 1
        if (running === 0) resolve()
      }
      for (let lane = 0; lane < FIRST_AT_ONCE; lane += 1) sendInTurn().catch(reject)
    })
  } catch (error) {
    failure.abort(error) // the other chunks are pointless now
    throw error
  }
}

/** Sends one chunk; a file of one chunk is completed with it and given back. */
async function sendChunk(
  upload: ChunkedUpload,
  environment: UploadEnvironment,
  index: number,
  progress: Progress,
): Promise<StoredFile | undefined> {
  const { plan, source, destination, signal } = upload
  const { start, end } = chunkRange(plan, index)
  const fields = {
    uploadId: upload.uploadId,
    filename: source.name,
    chunkIndex: index,
    totalChunks: plan.totalChunks,
    totalSize: plan.size,
    chunkSize: plan.chunkSize,
    ...destination,
    onConflict: upload.onConflict,
    complete: plan.totalChunks === 1 ? true : undefined,
  }
  const { transport, slots, smallFiles } = environment
  const sender = isSmallFile(fields) ? smallFiles : { send: transport.sendChunk }
  const attempt = async () => {
    const vaultCheck = fields.complete ? await source.checkValue?.() : undefined
    // Cutting a file costs a round trip within the browser: one that goes in one piece goes as it is.
    const chunk = plan.totalChunks === 1 && source instanceof Blob ? source : await source.slice(start, end)
    await upload.onChunk?.(index, chunk)
    const options = { signal, onProgress: (bytes: number) => progress.report(index, bytes) }
    try {
      return await sender.send({ ...fields, vaultCheck }, chunk, options)
    } catch (error) {
      progress.forget(index)
      if (!(error instanceof ApiError)) await assertReadable(chunk, signal)
      throw error
    }
  }
  try {
    const response = await withRetries(
      // Small files share requests, and wait for these together.
      () => (sender === smallFiles ? attempt() : slots.use(end - start, signal, attempt)),
      retryOptions(upload, environment),
    )
    progress.settle(index)
    return 'id' in response ? response : undefined
  } catch (error) {
    // The response to an earlier try was lost on the way: the file is there.
    if (error instanceof ApiError && error.body?.code === 'upload_completed') return undefined
    throw inWords(error, `Chunk ${index + 1} failed`)
  }
}

async function complete(upload: ChunkedUpload, environment: UploadEnvironment): Promise<StoredFile> {
  const { uploadId, source, destination, onConflict, signal } = upload
  try {
    const vaultCheck = await source.checkValue?.()
    const input = { uploadId, filename: source.name, ...destination, onConflict, vaultCheck }
    return await withRetries(
      () => environment.transport.completeUpload(input, signal),
      retryOptions(upload, environment),
    )
  } catch (error) {
    throw inWords(error, 'Finalization failed')
  }
}

/** A file that has changed or gone since it was chosen fails like a network does; reading a byte tells them apart. */
async function assertReadable(chunk: ChunkBytes, signal: AbortSignal): Promise<void> {
  if (signal.aborted || !(chunk instanceof Blob)) return
  try {
    await chunk.slice(0, 1).arrayBuffer()
  } catch (cause) {
    throw new UploadFailed('The file has changed or can no longer be read.', { cause })
  }
}

/** Adds a message to an error that has none; aborts and responses of the server stay as they are. */
function inWords(error: unknown, words: string): unknown {
  if (error instanceof ApiError && (error.text || error.status === 401)) return error
  if (error instanceof ApiError || error instanceof TypeError) return new UploadFailed(words, { cause: error })
  return error
}

function retryOptions(upload: ChunkedUpload, environment: UploadEnvironment): RetryOptions {
  const { signal, onRetry } = upload
  const { connection, firstDelay } = environment
  return { signal, onRetry, connection, firstDelay }
}
