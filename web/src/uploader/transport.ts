import type { AnyCall, InputOf, OutputOf } from '@alcove/contract/call'
import type { ErrorBody } from '@alcove/contract/errors'
import { getStorage } from '@alcove/contract/files'
import {
  cancelUpload,
  completeUpload,
  createFolderPaths,
  getUpload,
  type SmallFile,
  uploadChunk,
  uploadFiles,
  verifyUploads,
} from '@alcove/contract/uploads'
import { ApiError, expireToken, send } from '../api/api.ts'
import { addressOf } from '../api/call-address.ts'
import { noteNetworkFailure } from '../api/connection.ts'
import { noteOwnChanges } from '../api/own-changes.ts'
import { getSession } from '../api/session.ts'
import { randomId } from '../lib/random-id.ts'

/** A slice of a file, which is not in memory, or bytes in memory. Bytes in memory are freed when they are sent. */
export type ChunkBytes = Blob | Uint8Array<ArrayBuffer>

export type ChunkFields = InputOf<typeof uploadChunk>
export type ChunkResponse = OutputOf<typeof uploadChunk>

export interface SendChunkOptions {
  readonly signal: AbortSignal
  /** Called with the number of bytes of the request that have been sent. */
  readonly onProgress: (bytes: number) => void
}

/** The requests that uploads make. Each rejects like `send`. */
export interface UploadTransport {
  sendChunk(fields: ChunkFields, chunk: ChunkBytes, options: SendChunkOptions): Promise<ChunkResponse>
  /** Sends whole small files, whose bytes are concatenated. */
  sendFiles(
    files: readonly SmallFile[],
    bytes: Uint8Array<ArrayBuffer>,
    options: SendChunkOptions,
  ): Promise<OutputOf<typeof uploadFiles>>
  getUpload(uploadId: string, signal: AbortSignal): Promise<OutputOf<typeof getUpload>>
  completeUpload(input: InputOf<typeof completeUpload>, signal: AbortSignal): Promise<OutputOf<typeof completeUpload>>
  cancelUpload(uploadId: string): Promise<unknown>
  /** Returns which uploads are stored as files. */
  verifyUploads(uploadIds: string[], signal: AbortSignal): Promise<OutputOf<typeof verifyUploads>>
  createFolders(input: InputOf<typeof createFolderPaths>, signal: AbortSignal): Promise<unknown>
  /** Returns the free space in bytes, with that of earlier versions, since the server may delete them for an upload. */
  readFreeBytes(): Promise<number>
}

/** What authorizes the uploads of a visitor who sends files to somebody else. */
export interface VisitorAuthorization {
  bearer(): string | Promise<string>
  /** The server has refused that bearer. */
  refused(bearer: string): void
}

/** Creates the transport of the signed-in user, or of a visitor. */
export function createBrowserTransport(visitor?: VisitorAuthorization): UploadTransport {
  const memory = createChunkMemory()

  async function call<C extends AnyCall>(one: C, input: InputOf<C>, signal?: AbortSignal): Promise<OutputOf<C>> {
    if (!visitor) return send(one, input, { signal })
    const bearer = await visitor.bearer()
    return send(one, input, { signal, bearer }).catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 401) visitor.refused(bearer)
      throw error
    })
  }

  async function sendBytes<C extends typeof uploadChunk | typeof uploadFiles>(
    one: C,
    fields: InputOf<C>,
    bytes: ChunkBytes,
    options: SendChunkOptions,
  ): Promise<OutputOf<C>> {
    const bearer = visitor ? await visitor.bearer() : getSession().token
    options.signal.throwIfAborted()
    const refused = (token: string) => (visitor ? visitor.refused(token) : expireToken(token))
    return sendForm(one, fields, bytes, { ...options, bearer, refused }, memory)
  }

  return {
    sendChunk: (fields, chunk, options) => sendBytes(uploadChunk, fields, chunk, options),
    sendFiles: (files, bytes, options) => sendBytes(uploadFiles, { files: JSON.stringify(files) }, bytes, options),
    getUpload: (uploadId, signal) => call(getUpload, { uploadId }, signal),
    completeUpload: (input, signal) => call(completeUpload, input, signal),
    cancelUpload: (uploadId) => call(cancelUpload, { uploadId }),
    verifyUploads: (uploadIds, signal) => call(verifyUploads, { uploadIds }, signal),
    createFolders: (input, signal) => call(createFolderPaths, input, signal),
    async readFreeBytes() {
      // Visitors don't learn how much space the owner has.
      if (visitor) return Number.POSITIVE_INFINITY
      const { allocated_bytes, used_bytes, version_bytes, reserved_bytes } = await send(getStorage, {})
      return allocated_bytes - used_bytes + version_bytes - reserved_bytes
    },
  }
}

export const browserTransport = createBrowserTransport()

/** The idle timeout of a request in milliseconds. A dead connection does not always report an error. */
const STALL_TIMEOUT = 120_000

interface AuthorizedOptions extends SendChunkOptions {
  readonly bearer: string | undefined
  /** Called with the bearer if the server has refused it. */
  readonly refused: (bearer: string) => void
}

/** Sends a form with bytes by XMLHttpRequest, the only API that reports how much of a request has been sent. */
function sendForm<C extends typeof uploadChunk | typeof uploadFiles>(
  call: C,
  fields: InputOf<C>,
  chunk: ChunkBytes,
  { signal, onProgress, bearer, refused }: AuthorizedOptions,
  memory: ChunkMemory,
): Promise<OutputOf<C>> {
  return new Promise((resolve, reject) => {
    const size = chunk instanceof Blob ? chunk.size : chunk.length
    const { body, type } = toForm(fields, chunk)
    if (!(chunk instanceof Blob)) memory.release(chunk) // the form has a copy
    const request = new XMLHttpRequest()
    let stalled: ReturnType<typeof setTimeout>
    const watch = () => {
      clearTimeout(stalled)
      stalled = setTimeout(() => request.abort(), STALL_TIMEOUT)
    }
    const abort = () => request.abort()
    const fail = () => {
      if (!signal.aborted) noteNetworkFailure()
      reject(signal.aborted ? signal.reason : new TypeError('The network failed during an upload.'))
    }

    request.open(call.method, addressOf(call, fields))
    request.responseType = 'json'
    if (bearer) request.setRequestHeader('authorization', `Bearer ${bearer}`)
    request.upload.addEventListener('progress', ({ loaded }) => {
      watch()
      onProgress(Math.min(loaded, size)) // `loaded` counts the form around the chunk too
    })
    request.addEventListener('error', fail)
    request.addEventListener('abort', fail)
    request.addEventListener('load', () => {
      noteOwnChanges((name) => request.getResponseHeader(name))
      if (request.status >= 200 && request.status < 300 && request.response) return resolve(request.response)
      if (request.status === 401 && bearer) refused(bearer)
      const body = (request.response ?? undefined) as ErrorBody | undefined
      reject(new ApiError(request.status, body, request.getResponseHeader('retry-after')))
    })
    request.addEventListener('loadend', () => {
      clearTimeout(stalled)
      signal.removeEventListener('abort', abort)
    })
    signal.addEventListener('abort', abort)
    watch()
    if (type) request.setRequestHeader('content-type', type)
    request.send(body)
    if (body instanceof Uint8Array) {
      memory.release(body) // the request has a copy
      memory.collectRequests()
    }
  })
}

/** The body of a request with a chunk, and its content type unless the browser sets that itself. */
interface ChunkForm {
  readonly body: FormData | Uint8Array<ArrayBuffer>
  readonly type?: string
}

/**
 * Encodes a chunk as a form. The chunk follows its fields, so that the server knows its destination before the bytes
 * arrive. A slice of a file is not read. Bytes in memory are encoded here, because `FormData` accepts them only as a
 * blob, and browsers may keep the contents of blobs until they run out of space for them.
 */
export function toForm(fields: object, chunk: ChunkBytes): ChunkForm {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)
  if (chunk instanceof Blob) {
    const form = new FormData()
    for (const [name, value] of given) form.append(name, String(value))
    form.append('chunk', chunk, 'chunk')
    return { body: form }
  }
  const boundary = `alcove-${randomId()}`
  const lines = given.map(([name, value]) => `${partOf(boundary, `name="${name}"`)}\r\n${normalize(String(value))}\r\n`)
  const filePart = partOf(boundary, 'name="chunk"; filename="chunk"')
  const head = new TextEncoder().encode(`${lines.join('')}${filePart}content-type: application/octet-stream\r\n\r\n`)
  const tail = new TextEncoder().encode(`\r\n--${boundary}--\r\n`)
  const body = new Uint8Array(head.length + chunk.length + tail.length)
  body.set(head)
  body.set(chunk, head.length)
  body.set(tail, head.length + chunk.length)
  return { body, type: `multipart/form-data; boundary=${boundary}` }
}

function partOf(boundary: string, disposition: string): string {
  return `--${boundary}\r\ncontent-disposition: form-data; ${disposition}\r\n`
}

/** Encodes line ends like browsers. No value can end its part, because the boundary is random. */
function normalize(value: string): string {
  return value.replace(/\r\n|\r|\n/g, '\r\n')
}

/** The size of the unused buffer allocated for each chunk, and how many such buffers are kept. */
const PRESSURE = 16 * 1024 * 1024
const KEPT = 4

type ChunkMemory = ReturnType<typeof createChunkMemory>

/** Makes the browser free the memory of chunks early. The measurements are in decision 012. */
function createChunkMemory() {
  const pressure: ArrayBuffer[] = []
  let closedPort: MessagePort | undefined

  return {
    /**
     * Frees the memory of sent bytes at once, so that the array is empty afterwards. A browser would keep them until
     * its next garbage collection. Buffers that are transferred to a closed port are freed with the message.
     */
    release({ buffer }: Uint8Array<ArrayBuffer>): void {
      closedPort ??= openClosedPort()
      closedPort.postMessage(undefined, [buffer])
    },

    /**
     * Makes the browser collect the requests that were sent.
     *
     * SURPRISE: it allocates buffers that nobody writes to and drops them. A request keeps its body until it is collected,
     * and Chromium does not count bodies when it decides to collect. It counts buffers, and those that nobody writes to take
     * no memory.
     * Measured: uploading 4 GiB through the vault takes 165 to 175 MiB above rest instead of 225 to 246, together with
     * `collectAfter` in the vault's crypto/ (docs/decisions/012-vault-stream.md).
     * Remove it when: Chromium frees or counts the bodies of requests that have been sent.
     */
    collectRequests(): void {
      do pressure.push(new ArrayBuffer(PRESSURE))
      while (pressure.length < KEPT)
      if (pressure.length > KEPT) pressure.shift()
    },
  }
}

function openClosedPort(): MessagePort {
  const { port1, port2 } = new MessageChannel()
  port2.close()
  return port1
}
