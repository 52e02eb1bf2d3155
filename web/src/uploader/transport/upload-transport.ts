import type { InputOf, OutputOf } from '@alcove/contract/call'
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
import { ApiError, expireToken, send } from '../../api/api.ts'
import { addressOf } from '../../api/call-address.ts'
import { noteNetworkFailure } from '../../api/connection.ts'
import { getSession } from '../../api/session.ts'
import type { ChunkBytes } from '../engine/upload-source.ts'
import { toForm } from './chunk-form.ts'
import { collectRequests, releaseChunk } from './chunk-memory.ts'

export type ChunkFields = InputOf<typeof uploadChunk>
export type ChunkResponse = OutputOf<typeof uploadChunk>

export interface SendChunkOptions {
  readonly signal: AbortSignal
  /** Told how many bytes of the request have left so far. */
  readonly onProgress: (bytes: number) => void
}

/** The requests of the upload protocol, and what goes with them. Each rejects as `send` does. */
export interface UploadTransport {
  sendChunk(fields: ChunkFields, chunk: ChunkBytes, options: SendChunkOptions): Promise<ChunkResponse>
  /** Sends whole small files, whose bytes lie one behind the other. */
  sendFiles(
    files: readonly SmallFile[],
    bytes: Uint8Array<ArrayBuffer>,
    options: SendChunkOptions,
  ): Promise<OutputOf<typeof uploadFiles>>
  getUpload(uploadId: string, signal: AbortSignal): Promise<OutputOf<typeof getUpload>>
  completeUpload(input: InputOf<typeof completeUpload>, signal: AbortSignal): Promise<OutputOf<typeof completeUpload>>
  cancelUpload(uploadId: string): Promise<unknown>
  /** Which uploads have become files. */
  verifyUploads(uploadIds: string[], signal: AbortSignal): Promise<OutputOf<typeof verifyUploads>>
  createFolders(input: InputOf<typeof createFolderPaths>, signal: AbortSignal): Promise<unknown>
  /** How much room is left. */
  readFreeBytes(): Promise<number>
}

export const browserTransport: UploadTransport = {
  sendChunk: (fields, chunk, options) => sendForm(uploadChunk, fields, chunk, options),
  sendFiles: (files, bytes, options) => sendForm(uploadFiles, { files: JSON.stringify(files) }, bytes, options),
  getUpload: (uploadId, signal) => send(getUpload, { uploadId }, { signal }),
  completeUpload: (input, signal) => send(completeUpload, input, { signal }),
  cancelUpload: (uploadId) => send(cancelUpload, { uploadId }),
  verifyUploads: (uploadIds, signal) => send(verifyUploads, { uploadIds }, { signal }),
  createFolders: (input, signal) => send(createFolderPaths, input, { signal }),
  async readFreeBytes() {
    const { allocated_bytes, used_bytes, reserved_bytes } = await send(getStorage, {})
    return allocated_bytes - used_bytes - reserved_bytes
  },
}

/** A request that has not moved for so long is taken for lost: a dead connection does not always say so. */
const STALL_TIMEOUT = 120_000

/** Sends a form with bytes by XMLHttpRequest, the only way that tells how much of a request has left. */
function sendForm<C extends typeof uploadChunk | typeof uploadFiles>(
  call: C,
  fields: InputOf<C>,
  chunk: ChunkBytes,
  { signal, onProgress }: SendChunkOptions,
): Promise<OutputOf<C>> {
  return new Promise((resolve, reject) => {
    const { token } = getSession()
    const size = chunk instanceof Blob ? chunk.size : chunk.length
    const { body, type } = toForm(fields, chunk)
    if (!(chunk instanceof Blob)) releaseChunk(chunk) // the form has a copy
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
    if (token) request.setRequestHeader('authorization', `Bearer ${token}`)
    request.upload.addEventListener('progress', ({ loaded }) => {
      watch()
      onProgress(Math.min(loaded, size)) // `loaded` counts the form around the chunk too
    })
    request.addEventListener('error', fail)
    request.addEventListener('abort', fail)
    request.addEventListener('load', () => {
      if (request.status >= 200 && request.status < 300 && request.response) return resolve(request.response)
      if (request.status === 401 && token) expireToken(token)
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
      releaseChunk(body) // the request has a copy
      collectRequests()
    }
  })
}
