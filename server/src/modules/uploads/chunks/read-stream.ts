import type { Readable } from 'node:stream'
import { AppError } from '../../../errors.ts'
import { ChunkTooLargeError } from '../../../platform/blobs/blob-store.ts'

/** Returns all bytes of a stream in a buffer of their own. Throws if there are more than `maxSize`. */
export async function collectBytes(bytes: Readable, maxSize: number): Promise<Uint8Array<ArrayBuffer>> {
  const buffers: Buffer[] = []
  let size = 0
  for await (const buffer of bytes as AsyncIterable<Buffer>) {
    size += buffer.length
    if (size > maxSize) throw new ChunkTooLargeError(`a chunk exceeds ${maxSize} bytes`)
    buffers.push(buffer)
  }
  return joinBuffers(buffers, size)
}

/** Returns the bytes of buffers in one of their own, which is no slice of a larger one. */
export function joinBuffers(buffers: readonly Buffer[], size: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(size)
  let position = 0
  for (const buffer of buffers) {
    whole.set(buffer, position)
    position += buffer.length
  }
  return whole
}

/** Translates errors that occur while bytes arrive. */
export async function reading<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof ChunkTooLargeError) throw chunkTooLarge()
    if (isCutOff(error)) throw new AppError('malformed', 'The chunk did not arrive completely. Send it again.')
    throw error
  }
}

export function chunkTooLarge(): AppError {
  return new AppError(
    'too_large',
    'This chunk is too large. It can have at most 64 MiB, and no more than the other chunks or the rest of the announced size.',
  )
}

/** Returns whether the sender of a stream has disconnected. */
export function isCutOff(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? error.code : undefined
  return (
    code === 'ERR_STREAM_PREMATURE_CLOSE' ||
    code === 'ECONNRESET' ||
    /aborted|unexpected end|terminated/i.test(error.message)
  )
}
