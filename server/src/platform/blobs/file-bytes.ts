import { type FileHandle, open } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import type { ByteRange } from './blob-store.ts'

/** Large buffers are fastest; while many are being sent to, small ones keep the memory that slow readers hold small. */
const LARGE = 1024 * 1024
const SMALL = 128 * 1024
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
 * Sends a part of a file with two reused buffers: one is read while the other is written. This is several times as fast
 * as a read stream, which allocates a buffer for each read. Resolves when the last byte has been handed over.
 */
export async function sendFile(path: string, range: ByteRange, begin: () => Writable): Promise<void> {
  const file = await open(path, 'r')
  // A short part needs no large buffer.
  const size = sending < FEW && range.end - range.start >= SMALL ? LARGE : SMALL
  const buffers = [takeBuffer(size), takeBuffer(size)] as const
  sending++
  let writing: Promise<void> = Promise.resolve()
  try {
    const destination = begin()
    let position = range.start
    for (let turn = 0; position <= range.end; turn++) {
      const buffer = buffers[turn % 2 === 0 ? 0 : 1]
      const length = Math.min(buffer.length, range.end + 1 - position)
      const { bytesRead } = await file.read(buffer, 0, length, position)
      if (bytesRead === 0) throw new Error(`${path} ended at ${position}, before ${range.end}`)
      position += bytesRead
      await writing
      writing = writeTo(destination, buffer.subarray(0, bytesRead))
      // A rejection must find a listener at once, or a client that leaves during the next read ends the process.
      writing.catch(() => {})
    }
    await writing
    for (const buffer of buffers) giveBack(buffer)
  } finally {
    sending--
    await file.close()
  }
}

/** Resolves when the bytes have been handed over; rejects when the other side has gone. */
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

/** Copies a whole file into another from an offset on, and syncs it. */
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
