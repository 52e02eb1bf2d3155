import type { FileHandle } from 'node:fs/promises'
import { type Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ChunkTooLargeError } from './blob-store.ts'
import type { FreeDiskSpace } from './free-disk-space.ts'

const MEBIBYTE = 1024 * 1024
/** Small writes are slow: what arrives while one runs is gathered, up to this much, into the next. */
const WRITE_BUFFER = MEBIBYTE
/** The disk is kept busy while bytes still arrive, so that the sync at the end has little left to do. */
const SYNC_EVERY = 8 * MEBIBYTE

/** Streams bytes into a file from a position on and syncs them; answers how many. The handle stays open. */
export async function writeDurably(
  file: FileHandle,
  position: number,
  bytes: Readable,
  maxSize: number,
  room: FreeDiskSpace,
): Promise<number> {
  const writer = new ChunkWriter(file, position, maxSize, room)
  await pipeline(bytes, writer)
  await writer.finishEarlySync()
  await file.datasync()
  return writer.size
}

class ChunkWriter extends Writable {
  size = 0
  readonly #file: FileHandle
  readonly #position: number
  readonly #maxSize: number
  readonly #room: FreeDiskSpace
  #unsynced = 0
  #earlySync: Promise<void> | undefined

  constructor(file: FileHandle, position: number, maxSize: number, room: FreeDiskSpace) {
    super({ highWaterMark: WRITE_BUFFER, decodeStrings: false })
    this.#file = file
    this.#position = position
    this.#maxSize = maxSize
    this.#room = room
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#writeAll([chunk]).then(() => done(), done)
  }

  override _writev(chunks: { chunk: Buffer }[], done: (error?: Error | null) => void): void {
    this.#writeAll(chunks.map(({ chunk }) => chunk)).then(() => done(), done)
  }

  async finishEarlySync(): Promise<void> {
    await this.#earlySync
  }

  async #writeAll(buffers: Buffer[]): Promise<void> {
    const length = buffers.reduce((sum, buffer) => sum + buffer.length, 0)
    const start = this.#position + this.size
    this.size += length
    if (this.size > this.#maxSize) throw new ChunkTooLargeError(`a chunk exceeds ${this.#maxSize} bytes`)
    await this.#room.take(length)
    const { bytesWritten } = await this.#file.writev(buffers, start)
    if (bytesWritten < length)
      await this.#writeRest(Buffer.concat(buffers).subarray(bytesWritten), start + bytesWritten)
    this.#syncEarly(length)
  }

  async #writeRest(rest: Buffer, position: number): Promise<void> {
    for (let written = 0; written < rest.length; ) {
      written += (await this.#file.write(rest, written, rest.length - written, position + written)).bytesWritten
    }
  }

  #syncEarly(length: number): void {
    this.#unsynced += length
    if (this.#unsynced < SYNC_EVERY || this.#earlySync) return
    this.#unsynced = 0
    // Its failure is for the last sync to tell; this one only starts the work.
    this.#earlySync = this.#file
      .datasync()
      .catch(() => {})
      .finally(() => {
        this.#earlySync = undefined
      })
  }
}
