import { randomFillSync, randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { request as requestByTls, Agent as TlsAgent } from 'node:https'
import type { InputOf, OutputOf } from '@alcove/contract/call'
import { completeUpload, uploadChunk, uploadFiles } from '@alcove/contract/uploads'
import type { Target, Via } from './jobs.ts'

export type { Agent }

/** Returns an agent with keep-alive and a limited number of connections. */
export function createAgent(connections: number): Agent {
  return new Agent({ keepAlive: true, maxSockets: connections })
}

/** Returns the same with TLS, for a server with a certificate for `servername`. */
export function createTlsAgent(connections: number, certificate: string, servername: string): Agent {
  return new TlsAgent({ keepAlive: true, maxSockets: connections, ca: certificate, servername })
}

interface Outgoing {
  method: string
  url: string
  headers: Record<string, string>
  body?: Uint8Array
  /** The content type of the body. */
  type?: string
}

interface HttpResponse {
  status: number
  /** The size of the body, which has been read completely. */
  size: number
  readText(): string
}

/** Makes a request and reads the whole response. */
export function sendByHttp(agent: Agent, outgoing: Outgoing): Promise<HttpResponse> {
  const { method, url, body, type } = outgoing
  const headers = {
    ...outgoing.headers,
    ...(type && { 'content-type': type }),
    ...(body && { 'content-length': body.length }),
  }
  return new Promise((resolve, reject) => {
    const send = agent instanceof TlsAgent ? requestByTls : request
    const sent = send(url, { agent, method, headers }, (response) => {
      const pieces: Buffer[] = []
      let size = 0
      response.on('data', (piece: Buffer) => {
        pieces.push(piece)
        size += piece.length
      })
      const readText = () => Buffer.concat(pieces).toString()
      response.on('end', () => resolve({ status: response.statusCode ?? 0, size, readText }))
      response.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

export interface OutgoingFile {
  folder: string
  name: string
  content: Uint8Array<ArrayBuffer>
}

type SendFile = (file: OutgoingFile) => Promise<void>

/** Returns a function that sends a file to a target: a form to Alcove, a PUT to nginx. It throws unless the file was created. */
export function fileSender(target: Target, via: Via, agent: Agent): SendFile {
  const request = target.kind === 'alcove' ? formRequest : putRequest
  return async (file) => {
    const outgoing = request(target, file)
    const response = await send(outgoing, via, agent)
    // nginx responds with 204 if it replaced a file.
    if (response.status !== 201 && response.status !== 204) {
      throw new Error(`${outgoing.url} returned ${response.status}: ${response.readText()}`)
    }
  }
}

/** Returns a function that sends a file to Alcove as a chunk, and completes it with another request. It throws unless the file was created. */
export function chunkSender(target: Target, via: Via, agent: Agent): SendFile {
  const post = async (request: FileRequest, expected: number) => {
    const response = await send(request, via, agent)
    if (response.status !== expected) {
      throw new Error(`${request.url} returned ${response.status}: ${response.readText()}`)
    }
  }
  return async ({ folder, name, content }) => {
    const { url, headers } = target
    const uploadId = randomUUID()
    const fields: InputOf<typeof uploadChunk> = {
      uploadId,
      filename: name,
      chunkIndex: 0,
      totalChunks: 1,
      relativePath: `${folder}/${name}`,
    }
    const chunk = { method: uploadChunk.method, url: `${url}${uploadChunk.path}`, headers }
    await post({ ...chunk, ...encodeForm(fields, content) }, 200)
    const completion = { method: completeUpload.method, url: `${url}${completeUpload.path}`, headers }
    await post({ ...completion, body: Buffer.from(JSON.stringify({ uploadId })), type: 'application/json' }, 201)
  }
}

/** Returns a function that sends many small files to Alcove with one request, as the web does. It throws unless all are stored. */
export function filesSender(target: Target, via: Via, agent: Agent): (files: OutgoingFile[]) => Promise<void> {
  return async (files) => {
    const response = await send(filesRequest(target, files), via, agent)
    const text = response.readText()
    if (response.status !== 200) throw new Error(`${target.url} returned ${response.status}: ${text}`)
    const { results } = JSON.parse(text) as OutputOf<typeof uploadFiles>
    if (results.length < files.length || results.some(({ file }) => !file))
      throw new Error(`not all files were stored: ${text}`)
  }
}

function send({ method, url, headers, body, type }: FileRequest, via: Via, agent: Agent): Promise<HttpResponse> {
  const typed = type === undefined ? headers : { ...headers, 'content-type': type }
  return via === 'fetch'
    ? sendByFetch(url, { method, headers: typed, body })
    : sendByHttp(agent, { method, url, headers: typed, body })
}

interface FileRequest {
  method: string
  url: string
  headers: Record<string, string>
  body: Uint8Array<ArrayBuffer>
  type?: string
}

function putRequest({ url, headers }: Target, { folder, name, content }: OutgoingFile): FileRequest {
  return { method: 'PUT', url: `${url}/${folder}/${name}`, headers, body: content }
}

/** Returns the request for one whole file. */
function formRequest({ url, headers }: Target, { folder, name, content }: OutgoingFile): FileRequest {
  const fields: InputOf<typeof uploadChunk> = {
    uploadId: randomUUID(),
    filename: name,
    chunkIndex: 0,
    totalChunks: 1,
    totalSize: content.length,
    complete: 'true',
    relativePath: `${folder}/${name}`,
  }
  return { method: uploadChunk.method, url: `${url}${uploadChunk.path}`, headers, ...encodeForm(fields, content) }
}

/** Returns the request for many whole files: their descriptions, then all their bytes. */
function filesRequest({ url, headers }: Target, outgoing: OutgoingFile[]): FileRequest {
  const files = outgoing.map(({ folder, name, content }) => ({
    uploadId: randomUUID(),
    filename: name,
    size: content.length,
    relativePath: `${folder}/${name}`,
  }))
  const contents = Buffer.concat(outgoing.map(({ content }) => content))
  const form = encodeForm({ files: JSON.stringify(files) }, contents)
  return { method: uploadFiles.method, url: `${url}${uploadFiles.path}`, headers, ...form }
}

/**
 * Encodes a form without Node's `FormData`, which costs the client more than the whole request costs the server. A browser
 * does this in native code.
 */
function encodeForm(form: object, content: Uint8Array): { body: Buffer<ArrayBuffer>; type: string } {
  const boundary = `----${randomUUID()}`
  const fields = Object.entries(form).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const chunk =
    `--${boundary}\r\nContent-Disposition: form-data; name="chunk"; filename="blob"\r\n` +
    'Content-Type: application/octet-stream\r\n\r\n'
  return {
    body: Buffer.concat([Buffer.from(fields.join('') + chunk), content, Buffer.from(`\r\n--${boundary}--\r\n`)]),
    type: `multipart/form-data; boundary=${boundary}`,
  }
}

async function sendByFetch(url: string, init: RequestInit): Promise<HttpResponse> {
  const response = await fetch(url, init)
  const text = await response.text()
  return { status: response.status, size: text.length, readText: () => text }
}

/** Returns a cheap generator of different random contents. */
export function contents(size: number): () => Uint8Array<ArrayBuffer> {
  const random = randomFillSync(new Uint8Array(size))
  let count = 0
  return () => {
    const content = random.slice()
    count += 1
    new DataView(content.buffer).setUint32(0, count)
    return content
  }
}
