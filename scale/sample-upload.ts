import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { fetchFile } from '@alcove/contract/bytes'
import { completeUpload, getUpload } from '@alcove/contract/uploads'
import type { TestClient } from '@alcove/server/testing/client'

const CHUNK = 5 * 1024 * 1024

/** A file of random bytes on its way. Any chunk may be sent by any client of its user, and again. */
export class SampleUpload {
  readonly id = randomUUID()
  readonly filename: string
  readonly size: number
  readonly #content: Buffer<ArrayBuffer>

  /** So many whole chunks, and a last one that is small. */
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

  /** What is sent with a chunk, and the chunk. */
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

  /** Resolves whatever the server does. */
  send(client: TestClient, chunkIndex: number) {
    return client.sendChunk(...this.parts(chunkIndex))
  }

  async sendAll(client: TestClient, chunkIndexes: readonly number[]): Promise<void> {
    for (const index of chunkIndexes) expectSuccess(`chunk ${index}`, await this.send(client, index))
  }

  /** The chunks that the server has. */
  async received(client: TestClient): Promise<number[]> {
    const response = await client.call(getUpload, { uploadId: this.id })
    expectSuccess('asking for the upload', response)
    return response.body.received
  }

  /** Sends what the server has not, as a client does that comes back, and completes the file. */
  async resume(client: TestClient): Promise<void> {
    const received = new Set(await this.received(client))
    await this.sendAll(
      client,
      this.indexes.filter((index) => !received.has(index)),
    )
    expectSuccess('completing', await client.call(completeUpload, { uploadId: this.id }))
  }

  /** The digest of what a client gets when it downloads the file. */
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
  if (status >= 300) throw new Error(`${what} was refused with ${status}: ${JSON.stringify(body)}`)
}
