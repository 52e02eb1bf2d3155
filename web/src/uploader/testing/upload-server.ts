import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { File as StoredFile } from '@alcove/contract/items'
import { ApiError } from '../../api/api.ts'
import { toForm, type UploadTransport } from '../transport.ts'

interface Upload {
  filename: string
  totalChunks: number
  readonly fields: Record<string, string>
  readonly chunks: Map<number, Uint8Array>
  file?: StoredFile
}

/** What the server does with a request instead of its work; `undefined` lets it work. */
export type Trouble = 'drop' | 'dropAnswer' | { status: number; body?: object; retryAfter?: number } | undefined

/** A small HTTP server that speaks the upload protocol and keeps the bytes in memory, with troubles on demand. */
export async function startUploadServer() {
  const uploads = new Map<string, Upload>()
  const requests: string[] = []
  const names = new Set<string>()
  const signals = new Map<string, AbortSignal>()
  const state = {
    trouble: (_request: string, _filename?: string): Trouble => undefined,
    freeBytes: Number.MAX_SAFE_INTEGER,
    inFlight: 0,
    mostInFlight: 0,
  }

  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy()) // the client went away
  })

  async function serve(request: IncomingMessage, response: ServerResponse) {
    state.inFlight += 1
    response.on('close', () => {
      state.inFlight -= 1
    })
    state.mostInFlight = Math.max(state.mostInFlight, state.inFlight)
    const body = Buffer.concat(await request.toArray())
    await new Promise((resolve) => setTimeout(resolve, 5))
    const { label, filename, work } = await route(request, body)
    // What the client gave up may have come in whole, or not: it never has, or tests would count by chance.
    if (signals.get(String(request.headers[CALL_HEADER]))?.aborted) throw new Error('The client went away.')
    requests.push(label)
    const trouble = state.trouble(label, filename)
    if (trouble === 'drop') request.socket.destroy()
    else if (trouble === 'dropAnswer') {
      work()
      request.socket.destroy()
    } else if (trouble) {
      if (trouble.retryAfter !== undefined) response.setHeader('retry-after', trouble.retryAfter)
      answer(response, trouble.status, trouble.body ?? {})
    } else {
      const [status, json] = work()
      answer(response, status, json)
    }
  }

  type Answer = [status: number, json: object]

  async function route(
    request: IncomingMessage,
    body: Buffer<ArrayBuffer>,
  ): Promise<{ label: string; filename?: string; work: () => Answer }> {
    const [, verb = '', uploadId = ''] = (request.url ?? '').split('/')
    if (verb === 'upload-chunk') {
      const type = request.headers['content-type'] ?? ''
      const form = await new Response(body, { headers: { 'content-type': type } }).formData()
      const chunk = form.get('chunk')
      const bytes = chunk instanceof Blob ? new Uint8Array(await chunk.arrayBuffer()) : new Uint8Array()
      const fields = Object.fromEntries([...form].filter(([, value]) => typeof value === 'string')) as Record<
        string,
        string
      >
      return { label: `chunk ${fields.chunkIndex}`, filename: fields.filename, work: () => takeChunk(fields, bytes) }
    }
    if (verb === 'files') {
      const form = await new Response(body, {
        headers: { 'content-type': request.headers['content-type'] ?? '' },
      }).formData()
      const files = JSON.parse(form.get('files') as string) as (Record<string, string> & { size: number })[]
      const bytes = new Uint8Array(await (form.get('chunk') as Blob).arrayBuffer())
      return { label: `files ${files.length}`, work: () => takeFiles(files, bytes) }
    }
    if (verb === 'upload-complete') {
      const input = JSON.parse(body.toString()) as { uploadId: string; onConflict?: string }
      return { label: 'complete', work: () => finish(input.uploadId, input.onConflict) }
    }
    if (verb === 'verify') {
      const { uploadIds } = JSON.parse(body.toString()) as { uploadIds: string[] }
      return { label: 'verify', work: () => verify(uploadIds) }
    }
    if (verb === 'folders') return { label: 'folders', work: () => [201, JSON.parse(body.toString()) as object] }
    if (verb === 'room') return { label: 'room', work: () => [200, { free: state.freeBytes }] }
    const upload = uploads.get(uploadId)
    if (request.method === 'DELETE') {
      return { label: 'cancel', work: () => [uploads.delete(uploadId) ? 200 : 404, { message: 'Given up.' }] }
    }
    return {
      label: 'get',
      work: () =>
        upload
          ? [
              200,
              {
                uploadId,
                filename: upload.filename,
                totalChunks: upload.totalChunks,
                received: [...upload.chunks.keys()],
                file: upload.file,
              },
            ]
          : [404, refusal('not_found')],
    }
  }

  function takeChunk(fields: Record<string, string>, bytes: Uint8Array): Answer {
    const { uploadId = '', filename = '' } = fields
    const upload: Upload = uploads.get(uploadId) ?? {
      filename,
      totalChunks: Number(fields.totalChunks),
      fields,
      chunks: new Map(),
    }
    if (upload.file) return [409, refusal('upload_completed')]
    uploads.set(uploadId, upload)
    upload.chunks.set(Number(fields.chunkIndex), bytes)
    if (fields.complete === 'true' && upload.chunks.size === upload.totalChunks)
      return finish(uploadId, fields.onConflict)
    return [200, { uploadId, chunkIndex: Number(fields.chunkIndex), received: upload.chunks.size }]
  }

  function takeFiles(files: (Record<string, string> & { size: number })[], bytes: Uint8Array): Answer {
    let start = 0
    const results = files.map(({ size, ...fields }) => {
      const content = bytes.subarray(start, start + size)
      start += size
      const [status, json] = takeChunk({ ...fields, chunkIndex: '0', totalChunks: '1', complete: 'true' }, content)
      return { uploadId: fields.uploadId, status, [status === 201 ? 'file' : 'refusal']: json }
    })
    return [200, { results }]
  }

  function verify(uploadIds: string[]): Answer {
    const stored = uploadIds.flatMap((uploadId) => {
      const size = uploads.get(uploadId)?.file?.size
      return size === undefined ? [] : [{ uploadId, size }]
    })
    return [200, { stored, gone: [] }]
  }

  function finish(uploadId: string, onConflict: string | undefined): Answer {
    const upload = uploads.get(uploadId)
    if (!upload) return [404, refusal('not_found')]
    if (upload.file) return [201, upload.file]
    const missing = Array.from({ length: upload.totalChunks }, (_, index) => index).filter((i) => !upload.chunks.has(i))
    if (missing.length > 0) return [409, { ...refusal('upload_incomplete'), missing }]
    const path = upload.fields.relativePath ?? upload.filename
    if (names.has(path) && onConflict === 'fail') {
      const existing = { type: 'file', size: 3, updatedAt: '2026-11-21T00:00:00.000Z' }
      return [409, { ...refusal('name_taken'), existing }]
    }
    names.add(path)
    upload.file = storedFile(uploadId, upload)
    return [201, upload.file]
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    state,
    requests,
    uploads,
    transport: transportTo(base, signals),
    /** The bytes of an upload as they would be stored. */
    bytesOf: (uploadId: string) => {
      const chunks = uploads.get(uploadId)?.chunks ?? new Map<number, Uint8Array>()
      return Buffer.concat([...chunks].sort(([a], [b]) => a - b).map(([, bytes]) => bytes))
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(resolve)
        server.closeAllConnections()
      }),
  }
}

export type UploadServer = Awaited<ReturnType<typeof startUploadServer>>

const CALL_HEADER = 'x-call'

/**
 * The protocol over `fetch`, since Node has no XMLHttpRequest; progress is told in two halves. Each call has a number
 * under which the server finds in `signals` whether the client has given it up.
 */
function transportTo(base: string, signals: Map<string, AbortSignal>): UploadTransport {
  async function call(path: string, init: RequestInit) {
    const headers = new Headers(init.headers)
    if (init.signal) {
      const number = String(signals.size)
      headers.set(CALL_HEADER, number)
      signals.set(number, init.signal)
    }
    const response = await fetch(base + path, { ...init, headers })
    const json: unknown = await response.json()
    if (!response.ok) throw new ApiError(response.status, json as never, response.headers.get('retry-after'))
    return json as never
  }
  return {
    async sendChunk(fields, chunk, { signal, onProgress }) {
      const size = chunk instanceof Blob ? chunk.size : chunk.length
      onProgress(Math.floor(size / 2))
      // As bytes: fetch in Node trips over a form whose request is aborted.
      const { body, type } = toForm(fields, chunk)
      const form = new Response(body, type ? { headers: { 'content-type': type } } : {})
      const headers = { 'content-type': form.headers.get('content-type') ?? '' }
      const answer = await call('/upload-chunk', { method: 'POST', headers, body: await form.arrayBuffer(), signal })
      onProgress(size)
      return answer
    },
    async sendFiles(files, bytes, { signal, onProgress }) {
      onProgress(Math.floor(bytes.length / 2))
      const { body, type } = toForm({ files: JSON.stringify(files) }, bytes)
      const headers = { 'content-type': type ?? '' }
      const answer = await call('/files', { method: 'POST', headers, body: body as Uint8Array<ArrayBuffer>, signal })
      onProgress(bytes.length)
      return answer
    },
    getUpload: (uploadId, signal) => call(`/upload/${uploadId}`, { signal }),
    completeUpload: (input, signal) =>
      call('/upload-complete', { method: 'POST', body: JSON.stringify(input), signal }),
    cancelUpload: (uploadId) => call(`/upload/${uploadId}`, { method: 'DELETE' }),
    verifyUploads: (uploadIds, signal) =>
      call('/verify', { method: 'POST', body: JSON.stringify({ uploadIds }), signal }),
    createFolders: (input, signal) => call('/folders', { method: 'POST', body: JSON.stringify(input), signal }),
    readFreeBytes: async () => ((await call('/room', {})) as { free: number }).free,
  }
}

function refusal(code: string) {
  return { error: `Refused: ${code}.`, message: `Refused: ${code}.`, code }
}

function storedFile(id: string, { filename, chunks, fields }: Upload): StoredFile {
  return {
    id,
    filename,
    name: filename,
    folder_id: fields.parentFolderId ?? null,
    type: 'file',
    mimeType: 'application/octet-stream',
    size: [...chunks.values()].reduce((total, chunk) => total + chunk.length, 0),
    createdAt: '2026-11-21T00:00:00.000Z',
    updatedAt: '2026-11-21T00:00:00.000Z',
    isEncrypted: false,
    isFavorite: false,
    isShared: false,
  }
}

function answer(response: ServerResponse, status: number, json: object) {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(json))
}
