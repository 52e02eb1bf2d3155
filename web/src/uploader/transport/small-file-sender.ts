import { KIBIBYTE, MAX_SMALL_FILE } from '@alcove/contract/limits'
import { ApiError } from '../../api/api.ts'
import { describe, readAll, report, takeTogether, type WaitingFile } from '../engine/files-together.ts'
import type { ChunkBytes } from '../engine/upload-source.ts'
import type { RequestSlots } from './request-slots.ts'
import type { ChunkFields, ChunkResponse, SendChunkOptions, UploadTransport } from './upload-transport.ts'

/** Requests with small files at once: a browser keeps six connections to a server, and two stay free for the user. */
const REQUESTS = 4

export interface SmallFileSender {
  /** Sends a whole small file, alone or with others, as `UploadTransport.sendChunk` does. */
  send(fields: ChunkFields, chunk: ChunkBytes, options: SendChunkOptions): Promise<ChunkResponse>
}

/** Whether what is sent is a file that may go with others. */
export function isSmallFile({ complete, totalChunks, totalSize }: ChunkFields): boolean {
  return complete === true && totalChunks === 1 && totalSize !== undefined && Number(totalSize) <= MAX_SMALL_FILE
}

/**
 * Sends small files. While there are requests to spare each goes by itself; those that wait meanwhile go together, since
 * a folder of ten thousand would otherwise take ten thousand round trips. Each is answered for itself.
 */
export function createSmallFileSender(transport: UploadTransport, slots: RequestSlots): SmallFileSender {
  const waiting = new Set<WaitingFile>()
  /** Requests that are under way, or wait for their turn among all that uploads send. */
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

  /** Takes one while there are requests enough for all, else as many as one request can bring. */
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
    // Who is given up takes the request back; the others go at once with the next.
    const abort = new AbortController()
    const giveUp = () => abort.abort()
    for (const { options } of files) options.signal.addEventListener('abort', giveUp)
    try {
      const descriptions = files.map(({ description }) => description)
      const onProgress = (sent: number) => report(files, sent)
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
    if (!result) file.reject(new TypeError('The answer says nothing of this file.'))
    else if (result.file) file.resolve(result.file)
    // An upload that has begun in another way goes on in that way.
    else if (result.refusal?.code === 'state_conflict') sendAlone(file)
    else file.reject(new ApiError(result.status, result.refusal))
  }

  function fail(file: WaitingFile, error: unknown, isAborted: boolean): void {
    if (file.options.signal.aborted) return // has been told already
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
        const file: WaitingFile = { fields, chunk, ...describe(fields), options, resolve, reject, isAlone: false }
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
 * Whether a refusal may be of one file among them, or of the call as such, which a server that is older than this page
 * does not know. By itself each hears what is its own.
 */
function isAboutTheRequest({ status, body }: ApiError): boolean {
  return [400, 404, 405, 409, 413, 507].includes(status) && body?.code !== 'quota_exceeded'
}
