import { type FileHandle, open, unlink } from 'node:fs/promises'
import { type Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { hasLittleMemory } from '../processes/operating-system.ts'
import { type ByteRange, ChunkTooLargeError } from './blob-store.ts'
import type { FreeDiskSpace } from './free-disk-space.ts'

const MEBIBYTE = 1024 * 1024
/**
 * Small writes are slow, so bytes that arrive during a write are gathered for the next, up to this size. While many files are being
 * written, the others gather less, so that a hundred slow writes don't hold a hundred MiB.
 */
const WRITE_BUFFER = hasLittleMemory() ? MEBIBYTE / 8 : MEBIBYTE
const SMALL_WRITE_BUFFER = MEBIBYTE / 16
const FEW_WRITERS = 8
let writing = 0

/** Bytes are synced while more arrive, so that the sync at the end has little left to do. */
const SYNC_EVERY = 8 * MEBIBYTE

/** Streams bytes into a file from a position on, syncs them and returns their number. The handle stays open. */
export async function writeDurably(
  file: FileHandle,
  position: number,
  bytes: Readable,
  maxSize: number,
  freeSpace: FreeDiskSpace,
): Promise<number> {
  const writer = new ChunkWriter(file, position, maxSize, freeSpace)
  writing++
  try {
    await pipeline(bytes, writer)
  } finally {
    writing--
    // The file is closed next.
    await writer.settle()
  }
  await file.datasync()
  return writer.size
}

/**
 * Writes what has arrived while more arrives.
 *
 * SURPRISE: takes further bytes during a write. A plain writable stream stops its source when it is full, and until it is empty.
 * Measured: a PUT of 1 GiB is stored 1.4 times as fast (docs/decisions/004-speed-where-it-is-measured.md).
 * Remove it when: writable streams drain before they are empty.
 */
class ChunkWriter extends Writable {
  size = 0
  readonly #file: FileHandle
  readonly #position: number
  readonly #maxSize: number
  readonly #freeSpace: FreeDiskSpace
  readonly #maxGathered = writing < FEW_WRITERS ? WRITE_BUFFER : SMALL_WRITE_BUFFER
  #gathered: Buffer[] = []
  #gatheredBytes = 0
  #writing: Promise<void> | undefined
  #unsynced = 0
  #earlySync: Promise<void> | undefined

  constructor(file: FileHandle, position: number, maxSize: number, freeSpace: FreeDiskSpace) {
    super({ highWaterMark: SMALL_WRITE_BUFFER, decodeStrings: false })
    this.#file = file
    this.#position = position
    this.#maxSize = maxSize
    this.#freeSpace = freeSpace
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#gathered.push(chunk)
    this.#gatheredBytes += chunk.length
    this.#writing ??= this.#writeGathered()
    if (this.#gatheredBytes < this.#maxGathered) done()
    else this.#writing.then(() => done(), done)
  }

  override _final(done: (error?: Error | null) => void): void {
    this.settle().then(() => done(), done)
  }

  /** Resolves when nothing uses the file any more. */
  async settle(): Promise<void> {
    while (this.#writing) await this.#writing
    await this.#earlySync
  }

  async #writeGathered(): Promise<void> {
    const buffers = this.#gathered
    this.#gathered = []
    this.#gatheredBytes = 0
    try {
      await this.#writeAll(buffers)
    } catch (error) {
      this.#gathered = []
      this.destroy(error as Error)
    }
    this.#writing = this.#gathered.length > 0 ? this.#writeGathered() : undefined
  }

  async #writeAll(buffers: Buffer[]): Promise<void> {
    const length = buffers.reduce((sum, buffer) => sum + buffer.length, 0)
    const start = this.#position + this.size
    this.size += length
    if (this.size > this.#maxSize) throw new ChunkTooLargeError(`a chunk exceeds ${this.#maxSize} bytes`)
    await this.#freeSpace.take(length)
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
    // The last sync reports failures; this one only starts the work.
    this.#earlySync = this.#file
      .datasync()
      .catch(() => {})
      .finally(() => {
        this.#earlySync = undefined
      })
  }
}

/** Large buffers are fastest. While many files are being sent, small ones limit the memory that slow readers hold. */
const LARGE = hasLittleMemory() ? MEBIBYTE / 4 : MEBIBYTE
const SMALL = 128 * 1024
const FIRST = 256 * 1024
const FEW = 16
const MAX_POOLED = 16
const pools = new Map<number, Buffer[]>([
  [LARGE, []],
  [SMALL, []],
])
let sending = 0

function takeBuffer(size: number): Buffer {
  return pools.get(size)?.pop() ?? Buffer.allocUnsafeSlow(size)
}

function giveBack(buffer: Buffer): void {
  const pool = pools.get(buffer.length)
  if (pool && pool.length < MAX_POOLED) pool.push(buffer)
}

/**
 * Sends a part of a file with two reused buffers: one is read while the other is written. Resolves when the last byte has
 * been handed over.
 *
 * SURPRISE: no read stream. A read stream allocates a buffer for each read.
 * Measured: a read stream takes two to three times the processor time (docs/decisions/004-speed-where-it-is-measured.md).
 * Remove it when: read streams can reuse their buffers.
 */
export async function sendFile(file: FileHandle, range: ByteRange, begin: () => Writable): Promise<void> {
  // A short range needs no large buffer.
  const size = sending < FEW && range.end - range.start >= SMALL ? LARGE : SMALL
  const buffers = [takeBuffer(size), takeBuffer(size)] as const
  sending++
  let writing: Promise<void> = Promise.resolve()
  try {
    const destination = begin()
    let position = range.start
    for (let turn = 0; position <= range.end; turn++) {
      const buffer = buffers[turn % 2 === 0 ? 0 : 1]
      // The client gets the first bytes while the next are read.
      const length = Math.min(turn === 0 ? FIRST : buffer.length, buffer.length, range.end + 1 - position)
      const { bytesRead } = await file.read(buffer, 0, length, position)
      if (bytesRead === 0) throw new Error(`a file ended at ${position}, before ${range.end}`)
      position += bytesRead
      await writing
      writing = writeTo(destination, buffer.subarray(0, bytesRead))
      // Without a listener from the start, a client that disconnects during the next read would end the process.
      writing.catch(() => {})
    }
    await writing
    for (const buffer of buffers) giveBack(buffer)
  } finally {
    sending--
  }
}

/** Writes bytes and resolves when the stream has taken them; rejects when the reader has disconnected. */
export function writeTo(destination: Writable, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    if (destination.destroyed) return reject(new Error('the reader has gone'))
    const onClose = () => reject(new Error('the reader has gone'))
    destination.once('close', onClose)
    destination.write(bytes, (error) => {
      destination.off('close', onClose)
      if (error) reject(error)
      else resolve()
    })
  })
}

/** Copies a whole file into another at an offset and syncs it. */
export async function copyInto(target: FileHandle, offset: number, sourcePath: string): Promise<void> {
  const source = await open(sourcePath, 'r')
  const buffer = Buffer.allocUnsafe(1024 * 1024)
  try {
    let copied = 0
    while (true) {
      const { bytesRead } = await source.read(buffer, 0, buffer.length, copied)
      if (bytesRead === 0) break
      for (let written = 0; written < bytesRead; ) {
        written += (await target.write(buffer, written, bytesRead - written, offset + copied + written)).bytesWritten
      }
      copied += bytesRead
    }
    await target.datasync()
  } finally {
    await source.close()
  }
}

/** Removes a file, if there is one. `rm` would look at it first, synchronously, and stop the event loop for that. */
export async function removeFile(path: string): Promise<void> {
  await unlink(path).catch(undefinedIfMissing)
}

/** Handles the error of a file that is not there. Throws any other. */
export function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
