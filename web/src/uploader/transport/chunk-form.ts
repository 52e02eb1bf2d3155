import { randomId } from '../../lib/random-id.ts'
import type { ChunkBytes } from '../engine/upload-source.ts'

/** The form of a chunk, with the content type that a request has to be told with it. */
export interface ChunkForm {
  readonly body: FormData | Uint8Array<ArrayBuffer>
  readonly type?: string
}

/**
 * Puts a chunk into a form: its fields first, so that the server knows where the bytes go before they come. A part of a
 * file stays where it is. Bytes are written into the form by ourselves, for `FormData` takes them as a blob alone, and
 * browsers keep what is in blobs for as long as they like: of a large file, until they have no more room.
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

/** As browsers write values. Nothing in one can end its part: the boundary is random. */
function normalize(value: string): string {
  return value.replace(/\r\n|\r|\n/g, '\r\n')
}
