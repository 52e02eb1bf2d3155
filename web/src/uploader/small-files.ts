import { KIBIBYTE } from '@alcove/contract/limits'
import { ApiError } from '../api/api.ts'
import type { RequestSlots } from './concurrency.ts'
import { type DescribedFile, describeSmallFile, takeTogether } from './planner.ts'
import type { ChunkBytes, ChunkFields, ChunkResponse, SendChunkOptions, UploadTransport } from './transport.ts'

/** The maximum number of concurrent requests. Browsers open six connections to a server; two stay free for the user. */
const REQUESTS = 4

export interface SmallFileSender {
  /** Sends a whole small file, separately or combined with others, like `UploadTransport.sendChunk`. */
  send(fields: ChunkFields, chunk: ChunkBytes, options: SendChunkOptions): Promise<ChunkResponse>
}

/** A small file that waits to be sent, separately or combined with others. */
interface WaitingFile extends DescribedFile {
  readonly fields: ChunkFields
  readonly chunk: ChunkBytes
  readonly options: SendChunkOptions
  readonly resolve: (response: ChunkResponse) => void
  readonly reject: (error: unknown) => void
  /** Whether it must be sent separately, because the server did not accept the combined request. */
  isAlone: boolean
}

/**
 * Creates the sender of small files. While fewer than `REQUESTS` are in flight, each file has its own request. Files
 * that have to wait are combined, because a folder of ten thousand files would otherwise take ten thousand round trips.
 * Each file gets its own response.
 */
export function createSmallFileSender(transport: UploadTransport, slots: RequestSlots): SmallFileSender {
  const waiting = new Set<WaitingFile>()
  /** The number of requests in flight or waiting for a slot, and the number in flight. */
  let running = 0
  let underWay = 0

  function startNext(): void {
    if (running >= REQUESTS || waiting.size === 0) return
    running += 1
    void slots
      .use(KIBIBYTE, new AbortController().signal, () => sendTaken(takeWaiting()))
      .finally(() => {
        running -= 1
        startNext()
      })
  }

  /** Takes one file if there are enough requests for all, else as many as fit into one request. */
  function takeWaiting(): WaitingFile[] {
    const [first] = waiting
    if (!first || first.isAlone || waiting.size <= REQUESTS - underWay) {
      if (first) waiting.delete(first)
      return first ? [first] : []
    }
    return takeTogether(waiting)
  }

  async function sendTaken(files: WaitingFile[]): Promise<void> {
    const [first] = files
    if (!first) return
    underWay += 1
    if (files.length > 1) await sendTogether(files)
    else await transport.sendChunk(first.fields, first.chunk, first.options).then(first.resolve, first.reject)
    underWay -= 1
  }

  async function sendTogether(taken: WaitingFile[]): Promise<void> {
    const { files, bytes } = await readAll(taken)
    if (files.length === 0) return
    // If one file is cancelled, the request is aborted and the other files are sent in the next one at once.
    const abort = new AbortController()
    const giveUp = () => abort.abort()
    for (const { options } of files) options.signal.addEventListener('abort', giveUp)
    try {
      const descriptions = files.map(({ description }) => description)
      const onProgress = (sent: number) => reportProgress(files, sent)
      const { results } = await transport.sendFiles(descriptions, bytes, { signal: abort.signal, onProgress })
      const byUpload = new Map(results.map((result) => [result.uploadId, result]))
      for (const file of files) settle(file, byUpload.get(file.description.uploadId))
    } catch (error) {
      for (const file of files) fail(file, error, abort.signal.aborted)
    } finally {
      for (const { options } of files) options.signal.removeEventListener('abort', giveUp)
    }
  }

  type Result = Awaited<ReturnType<UploadTransport['sendFiles']>>['results'][number]

  function settle(file: WaitingFile, result: Result | undefined): void {
    if (!result) file.reject(new TypeError('The response does not mention this file.'))
    else if (result.file) file.resolve(result.file)
    // An upload that was started by another call continues with that call.
    else if (result.refusal?.code === 'state_conflict') sendAlone(file)
    else file.reject(new ApiError(result.status, result.refusal))
  }

  function fail(file: WaitingFile, error: unknown, isAborted: boolean): void {
    if (file.options.signal.aborted) return // rejected already
    if (isAborted) {
      waiting.add(file)
      startNext()
    } else if (error instanceof ApiError && isAboutTheRequest(error)) sendAlone(file)
    else file.reject(error)
  }

  function sendAlone(file: WaitingFile): void {
    file.isAlone = true
    waiting.add(file)
    startNext()
  }

  return {
    send: (fields, chunk, options) =>
      new Promise((resolve, reject) => {
        const described = describeSmallFile(fields)
        const file: WaitingFile = { ...described, fields, chunk, options, resolve, reject, isAlone: false }
        options.signal.addEventListener(
          'abort',
          () => {
            waiting.delete(file)
            reject(options.signal.reason)
          },
          { once: true },
        )
        waiting.add(file)
        startNext()
      }),
  }
}

/**
 * Returns whether a refusal may be due to one of the files, or to an older server that does not have the call. The
 * files are then sent one by one, and each gets its own response.
 */
function isAboutTheRequest({ status, body }: ApiError): boolean {
  return [400, 404, 405, 409, 413, 507].includes(status) && body?.code !== 'quota_exceeded'
}

/**
 * Reads the files that are not cancelled and joins their bytes. An unreadable file fails as in a separate request, and
 * does not affect the others.
 */
async function readAll(
  files: readonly WaitingFile[],
): Promise<{ files: WaitingFile[]; bytes: Uint8Array<ArrayBuffer> }> {
  const read = await Promise.all(
    files.map(async (file) => {
      const { chunk, description, options, reject } = file
      try {
        const bytes = chunk instanceof Blob ? new Uint8Array(await chunk.arrayBuffer()) : chunk
        if (bytes.length === Number(description.size)) return options.signal.aborted ? [] : [{ file, bytes }]
        reject(new TypeError('The size of the file has changed.'))
      } catch {
        reject(new TypeError('The file could not be read.'))
      }
      return []
    }),
  )
  const readable = read.flat()
  return { files: readable.map(({ file }) => file), bytes: concatenate(readable.map(({ bytes }) => bytes)) }
}

function concatenate(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((total, { length }) => total + length, 0))
  let position = 0
  for (const piece of pieces) {
    whole.set(piece, position)
    position += piece.length
  }
  return whole
}

/** Reports to each file how many of its bytes have been sent. The request contains the files one after the other. */
function reportProgress(files: readonly WaitingFile[], sent: number): void {
  let start = 0
  for (const { description, options } of files) {
    const size = Number(description.size)
    if (!options.signal.aborted && sent > start) options.onProgress(Math.min(sent - start, size))
    start += size
  }
}
