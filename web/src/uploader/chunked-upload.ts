import { MAX_FILE_DATE } from '@alcove/contract/limits'
import type { OnConflict, UploadedFile } from '@alcove/contract/uploads'
import { ApiError } from '../api/api.ts'
import type { Connection } from '../api/connection.ts'
import { type RetryOptions, withRetries } from '../api/retries.ts'
import { createRequestSlots, type RequestSlots } from './concurrency.ts'
import { type ChunkPlan, chunkLength, chunkRange, isSendable, isSmallFile } from './planner.ts'
import { createSmallFileSender, type SmallFileSender } from './small-files.ts'
import type { ChunkBytes, UploadTransport } from './transport.ts'

/**
 * The source of an upload's bytes. Every `File` is one. A source that produces its bytes on demand, such as an
 * encrypting one, must return the same bytes for the same range each time, because a chunk may have to be sent again.
 */
export interface UploadSource {
  readonly name: string
  readonly size: number
  /**
   * The file's modification date, in milliseconds since 1970. A source without one is generated on demand and cannot be
   * resumed after a reload.
   */
  readonly lastModified?: number
  slice(start: number, end: number): Blob | Promise<ChunkBytes>
  /** Returns the value that the server stores with an encrypted file to detect a wrong passphrase at once. */
  checkValue?(): Promise<string>
  /** The salt and IV of the encryption. They reveal nothing about the key and can be stored. */
  readonly seal?: UploadSeal
  /** Returns the same file under the seal of an earlier upload that is to be resumed. */
  withSeal?(seal: UploadSeal, chunkSize: number): UploadSource & { readonly lastModified: number }
  /** Returns the file as it is now under a new seal, if it no longer has the bytes that were encrypted. */
  renewed?(chunkSize: number): (UploadSource & { readonly lastModified: number }) | undefined
}

export interface UploadSeal {
  readonly salt: string
  readonly iv: string
}

/** The external dependencies of uploads. All uploads of a page share one environment and its request slots. */
export interface UploadEnvironment {
  readonly transport: UploadTransport
  readonly connection: Connection
  readonly slots: RequestSlots
  readonly smallFiles: SmallFileSender
  /** The uploads are those of a visitor, who can't decide about taken names. */
  readonly isForVisitor?: boolean
  /** The delay before the first retry, in milliseconds. */
  readonly firstDelay?: number
}

export function createUploadEnvironment(
  given: Pick<UploadEnvironment, 'transport' | 'connection' | 'firstDelay' | 'isForVisitor'>,
): UploadEnvironment {
  const slots = createRequestSlots()
  return { ...given, slots, smallFiles: createSmallFileSender(given.transport, slots) }
}

/** Where an upload is stored: a folder or the root, or a path below it whose folders the server creates. */
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
  /** The upload has started before: only the chunks that the server does not have are sent. */
  readonly resumes?: boolean
  /** The received chunks that need not be sent again; all received chunks if absent. */
  readonly proven?: ReadonlySet<number>
  readonly signal: AbortSignal
  /** Called before a chunk is sent; sending waits for the result. */
  readonly onChunk?: (index: number, chunk: ChunkBytes) => void | Promise<void>
  /** Called with the bytes that the server has or is receiving, for a resumed upload first with those it had before. */
  readonly onProgress?: (sentBytes: number) => void
  /** Called when a request has failed and will be retried. */
  readonly onRetry?: () => void
}

/** Thrown when an upload cannot continue. The message can be shown to users; `cause` is the original error. */
export class UploadFailed extends Error {
  override readonly name = 'UploadFailed'
}

const CHUNKS_AT_ONCE = 4
/** The initial number of parallel chunks. More are no faster on a slow connection, and a closed page loses more. */
const FIRST_AT_ONCE = 2
const QUICK = 5000
/** How often completion may fail because of missing chunks before the upload fails. */
const COMPLETION_ROUNDS = 5

/**
 * Sends a file in chunks, a few in parallel, and returns the stored file. Retries temporary failures and skips chunks
 * that the server already has. Rejects with the signal's reason, with the `ApiError` of a final refusal (no free space,
 * no session, the name is taken), or with `UploadFailed`.
 */
export async function uploadInChunks(upload: ChunkedUpload, environment: UploadEnvironment): Promise<UploadedFile> {
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

/** Adds up the progress of the chunks. When a chunk is retried, its earlier progress is subtracted. */
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
    if (error instanceof ApiError && error.status === 404) return undefined // never started, or expired
    throw error
  }
}

/** Sends the missing chunks, a few in parallel. Removes each from `missing` when the server has it. */
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
    failure.abort(error) // the other chunks are no longer needed
    throw error
  }
}

/** Sends one chunk. A file of one chunk is completed with it and returned. */
async function sendChunk(
  upload: ChunkedUpload,
  environment: UploadEnvironment,
  index: number,
  progress: Progress,
): Promise<UploadedFile | undefined> {
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
    ...conflictFields(upload),
    lastModified: dateOf(source),
    complete: plan.totalChunks === 1 ? true : undefined,
  }
  const { transport, slots, smallFiles } = environment
  const sender = isSmallFile(fields) ? smallFiles : { send: transport.sendChunk }
  const attempt = async () => {
    const vaultCheck = fields.complete ? await source.checkValue?.() : undefined
    // Slicing a file costs a round trip within the browser, so a file of one chunk is sent as it is.
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
      // Small files share requests and wait for them together.
      () => (sender === smallFiles ? attempt() : slots.use(end - start, signal, attempt)),
      retryOptions(upload, environment),
    )
    progress.settle(index)
    return 'id' in response ? response : undefined
  } catch (error) {
    // The response to an earlier attempt was lost, but the file is stored.
    if (error instanceof ApiError && error.body?.code === 'upload_completed') return undefined
    throw inWords(error, `Chunk ${index + 1} failed`)
  }
}

/** Returns the modification date of a file. The server refuses dates outside the years 1970 to 9999, so they are left out. */
function dateOf({ lastModified }: UploadSource): number | undefined {
  return lastModified !== undefined && lastModified >= 0 && lastModified <= MAX_FILE_DATE ? lastModified : undefined
}

async function complete(upload: ChunkedUpload, environment: UploadEnvironment): Promise<UploadedFile> {
  const { uploadId, source, destination, signal } = upload
  try {
    const vaultCheck = await source.checkValue?.()
    const more = { ...conflictFields(upload), lastModified: dateOf(source), vaultCheck }
    const input = { uploadId, filename: source.name, ...destination, ...more }
    return await withRetries(
      () => environment.transport.completeUpload(input, signal),
      retryOptions(upload, environment),
    )
  } catch (error) {
    throw inWords(error, 'Finalization failed')
  }
}

/** A person chose to replace the file, so its bytes become a version, even if they were stored only a moment ago. */
function conflictFields({ onConflict }: ChunkedUpload) {
  return { onConflict, keepReplaced: onConflict === 'replace' ? true : undefined }
}

/** A changed or deleted file fails with the same error as the network. Reading a byte distinguishes the two. */
async function assertReadable(chunk: ChunkBytes, signal: AbortSignal): Promise<void> {
  if (signal.aborted || !(chunk instanceof Blob)) return
  try {
    await chunk.slice(0, 1).arrayBuffer()
  } catch (cause) {
    throw new UploadFailed('The file has changed or can no longer be read.', { cause })
  }
}

/** Replaces errors that have no message for users. Keeps aborts and messages of the server. */
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
