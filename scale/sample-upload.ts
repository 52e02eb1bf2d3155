import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { fetchFile } from '@alcove/contract/bytes'
import { completeUpload, getUpload } from '@alcove/contract/uploads'
import type { TestClient } from '@alcove/server/testing/clients/client'
import { openRequest } from '@alcove/server/testing/clients/over-http'
import type { Nginx } from '@alcove/server/testing/engines/nginx-engine'

const CHUNK = 5 * 1024 * 1024

/** An upload of random bytes. Any client of its user can send any chunk, even repeatedly. */
export class SampleUpload {
  readonly id = randomUUID()
  readonly filename: string
  readonly size: number
  readonly #content: Buffer<ArrayBuffer>

  /** The file has `wholeChunks` full chunks and a small last one. */
  constructor(filename: string, wholeChunks: number) {
    this.filename = filename
    this.#content = randomBytes(wholeChunks * CHUNK + 1234)
    this.size = this.#content.length
  }

  get indexes(): number[] {
    return Array.from({ length: Math.ceil(this.size / CHUNK) }, (_, index) => index)
  }

  get sha256(): string {
    return sha256Of(this.#content)
  }

  /** Returns the form fields of a chunk, and its bytes. */
  parts(chunkIndex: number): [Record<string, string | number>, Buffer<ArrayBuffer>] {
    const fields = {
      uploadId: this.id,
      filename: this.filename,
      chunkIndex,
      totalChunks: this.indexes.length,
      totalSize: this.size,
    }
    return [fields, this.#content.subarray(chunkIndex * CHUNK, (chunkIndex + 1) * CHUNK)]
  }

  /** Sends a chunk, and returns the response even if it is an error. */
  send(client: TestClient, chunkIndex: number) {
    return client.sendChunk(...this.parts(chunkIndex))
  }

  async sendAll(client: TestClient, chunkIndexes: readonly number[]): Promise<void> {
    for (const index of chunkIndexes) expectSuccess(`chunk ${index}`, await this.send(client, index))
  }

  /** Returns the chunks that the server has. */
  async received(client: TestClient): Promise<number[]> {
    const response = await client.call(getUpload, { uploadId: this.id })
    expectSuccess('reading the upload', response)
    return response.body.received
  }

  /** Sends the missing chunks, like a client that reconnects, and completes the file. */
  async resume(client: TestClient): Promise<void> {
    const received = new Set(await this.received(client))
    await this.sendAll(
      client,
      this.indexes.filter((index) => !received.has(index)),
    )
    expectSuccess('completing', await client.call(completeUpload, { uploadId: this.id }))
  }

  /** Downloads the file, and returns its digest. */
  async download(client: TestClient): Promise<string> {
    const response = await client.raw(fetchFile, { filename: this.filename })
    expectSuccess('downloading', response)
    return sha256Of(response.bytes)
  }
}

function sha256Of(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function expectSuccess(what: string, { status, body }: { status: number; body: unknown }): void {
  if (status >= 300) throw new Error(`${what} failed with ${status}: ${JSON.stringify(body)}`)
}

/** A chunk of which only the first half has been sent. */
interface HalfSent {
  /** Sends the rest. Returns the response, or undefined if the connection was closed. */
  finish(): Promise<{ status: number; retryAfter: string | undefined } | undefined>
}

/** Sends the first half of a chunk through nginx. */
export async function sendHalf(nginx: Nginx, token: string, upload: SampleUpload, index: number): Promise<HalfSent> {
  const [fields, chunk] = upload.parts(index)
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value))
  form.append('chunk', new Blob([chunk]), 'blob')
  const encoded = new Response(form)
  const body = Buffer.from(await encoded.arrayBuffer())
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': encoded.headers.get('content-type') ?? '',
    'content-length': String(body.length),
  }
  const request = openRequest(nginx, { method: 'POST', path: '/api/upload-chunk', headers })
  const responded = once(request, 'response').then(
    ([response]) => {
      response.resume()
      return { status: response.statusCode, retryAfter: response.headers['retry-after'] }
    },
    () => undefined,
  )
  // Errors after the response are ignored.
  request.on('error', () => {})
  const half = body.length >> 1
  // The callback runs once the half has been sent to nginx.
  await new Promise((resolve) => request.write(body.subarray(0, half), resolve))
  return {
    finish: () => {
      request.end(body.subarray(half))
      return responded
    },
  }
}
