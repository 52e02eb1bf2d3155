import type { AnyCall, InputOf, OutputOf } from '@alcove/contract/call'
import type { ErrorBody } from '@alcove/contract/errors'
import { getStorage } from '@alcove/contract/files'
import {
  cancelUpload,
  completeUpload,
  createFolderPaths,
  getUpload,
  uploadChunk,
  uploadFiles,
  verifyUploads,
} from '@alcove/contract/uploads'
import { ApiError } from '../../api/api.ts'
import { addressOf, hasBody, withoutPathParameters } from '../../api/call-address.ts'
import { type ChunkBytes, type SendChunkOptions, toForm, type UploadTransport } from '../transport.ts'

/** Names a request in tests: `chunk 0`, `files 40`, `complete`, …; a chunk also has the name of its file. */
export interface RequestLabel {
  readonly label: string
  readonly filename?: string
}

/** Sends a request to the server and returns the response. Rejects with a `TypeError` when the network fails. */
type Deliver = (request: Request, label: RequestLabel, signal?: AbortSignal) => Promise<Response>

/** Creates a transport for Node, which has no XMLHttpRequest. It reports the progress of a chunk in two halves. */
export function createFetchTransport(serverUrl: string, token: string, deliver: Deliver): UploadTransport {
  async function request<C extends AnyCall>(
    call: C,
    input: InputOf<C>,
    { body, type }: { body?: BodyInit; type?: string },
    label: RequestLabel,
    signal?: AbortSignal,
  ): Promise<OutputOf<C>> {
    const headers: Record<string, string> = { authorization: `Bearer ${token}`, ...(type && { 'content-type': type }) }
    const init = { method: call.method, headers, body }
    const response = await deliver(new Request(serverUrl + addressOf(call, input), init), label, signal)
    const json: unknown = await response.json()
    if (!response.ok) throw new ApiError(response.status, json as ErrorBody, response.headers.get('retry-after'))
    return json as OutputOf<C>
  }

  function send<C extends AnyCall>(label: string, call: C, input: InputOf<C>, signal?: AbortSignal) {
    const body = hasBody(call) ? JSON.stringify(withoutPathParameters(call, input)) : undefined
    return request(call, input, { body, type: 'application/json' }, { label }, signal)
  }

  async function sendForm<C extends typeof uploadChunk | typeof uploadFiles>(
    label: RequestLabel,
    call: C,
    fields: InputOf<C>,
    chunk: ChunkBytes,
    { signal, onProgress }: SendChunkOptions,
  ): Promise<OutputOf<C>> {
    const size = chunk instanceof Blob ? chunk.size : chunk.length
    onProgress(Math.floor(size / 2))
    const response = await request(call, fields, toForm(fields, chunk), label, signal)
    onProgress(size)
    return response
  }

  return {
    sendChunk: (fields, chunk, options) => {
      const label = { label: `chunk ${fields.chunkIndex}`, filename: fields.filename }
      return sendForm(label, uploadChunk, fields, chunk, options)
    },
    sendFiles: (files, bytes, options) =>
      sendForm({ label: `files ${files.length}` }, uploadFiles, { files: JSON.stringify(files) }, bytes, options),
    getUpload: (uploadId, signal) => send('get', getUpload, { uploadId }, signal),
    completeUpload: (input, signal) => send('complete', completeUpload, input, signal),
    cancelUpload: (uploadId) => send('cancel', cancelUpload, { uploadId }),
    verifyUploads: (uploadIds, signal) => send('verify', verifyUploads, { uploadIds }, signal),
    createFolders: (input, signal) => send('folders', createFolderPaths, input, signal),
    async readFreeBytes() {
      const { allocated_bytes, used_bytes, version_bytes, reserved_bytes } = await send('storage', getStorage, {})
      return allocated_bytes - used_bytes + version_bytes - reserved_bytes
    },
  }
}
