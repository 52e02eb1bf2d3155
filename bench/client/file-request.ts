import { randomUUID } from 'node:crypto'
import type { InputOf } from '@alcove/contract/call'
import { uploadChunk } from '@alcove/contract/uploads'
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
    const { method, url, headers, form, body } = request(target, file)
    const answer =
      via === 'fetch'
        ? await sendByFetch(url, { method, headers, body: form ?? body })
        : await sendByHttp(agent, { method, url, headers, ...(form ? encodeForm(form, body) : { body }) })
    // nginx answers 204 where it has replaced a file.
    if (answer.status !== 201 && answer.status !== 204) {
      throw new Error(`${url} answered ${answer.status}: ${answer.readText()}`)
    }
  }
}

interface FileRequest {
  method: string
  url: string
  headers: Record<string, string>
  form?: FormData
  body: Uint8Array<ArrayBuffer>
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
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.append(field, String(value))
  form.append('chunk', new Blob([content]), 'blob')
  return { method: uploadChunk.method, url: `${url}${uploadChunk.path}`, headers, form, body: content }
}

/** The same form by hand, without what a `FormData` costs on its way out. */
function encodeForm(form: FormData, content: Uint8Array): { body: Buffer; type: string } {
  const boundary = `----${randomUUID()}`
  const fields = [...form].flatMap(([name, value]) =>
    typeof value === 'string'
      ? [`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`]
      : [],
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
