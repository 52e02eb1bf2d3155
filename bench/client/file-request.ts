import { randomUUID } from 'node:crypto'
import type { InputOf, OutputOf } from '@alcove/contract/call'
import { uploadChunk, uploadFiles } from '@alcove/contract/uploads'
import type { Target, Via } from './jobs.ts'
import { type Agent, type Answer, sendByHttp } from './send-by-http.ts'

/** A file about to be sent. */
export interface OutgoingFile {
  folder: string
  name: string
  content: Uint8Array<ArrayBuffer>
}

type SendFile = (file: OutgoingFile) => Promise<void>

/** How to send a file to a target: a form to Alcove, a PUT to nginx. Rejects unless it was created. */
export function fileSender(target: Target, via: Via, agent: Agent): SendFile {
  const request = target.kind === 'alcove' ? formRequest : putRequest
  return async (file) => {
    const outgoing = request(target, file)
    const answer = await send(outgoing, via, agent)
    // nginx answers 204 where it has replaced a file.
    if (answer.status !== 201 && answer.status !== 204) {
      throw new Error(`${outgoing.url} answered ${answer.status}: ${answer.readText()}`)
    }
  }
}

/** How to send many small files to Alcove with one request, as its web does. Rejects unless all were stored. */
export function filesSender(target: Target, via: Via, agent: Agent): (files: OutgoingFile[]) => Promise<void> {
  return async (files) => {
    const answer = await send(filesRequest(target, files), via, agent)
    const text = answer.readText()
    if (answer.status !== 200) throw new Error(`${target.url} answered ${answer.status}: ${text}`)
    const { results } = JSON.parse(text) as OutputOf<typeof uploadFiles>
    if (results.length < files.length || results.some(({ file }) => !file))
      throw new Error(`not all were stored: ${text}`)
  }
}

function send({ method, url, headers, body, type }: FileRequest, via: Via, agent: Agent): Promise<Answer> {
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

/** A whole file in one request. */
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

/** Many whole files in one request: what they are, and all their bytes. */
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
 * A form by hand. A browser encodes one in native code; Node's `FormData` costs the client more than the whole request
 * costs the server, and would hide what is to be seen.
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

async function sendByFetch(url: string, init: RequestInit): Promise<Answer> {
  const response = await fetch(url, init)
  const text = await response.text()
  return { status: response.status, size: text.length, readText: () => text }
}
