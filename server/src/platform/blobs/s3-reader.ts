import type { ByteRange } from './blob-store.ts'
import type { S3Bucket } from './s3-bucket.ts'
import { isPassing } from './store-retries.ts'

/** Raised when an object is not there, or not any more. */
export class ObjectMissingError extends Error {}

/** So often a reading that was cut off is taken up again without a byte having come. */
const MAX_FRUITLESS = 3

/**
 * The bytes of an object, or of a part of it. Where the store breaks off, or our own reader was so slow that the
 * connection was given up, reading goes on from the byte that was to come next.
 */
export async function* readObject(bucket: S3Bucket, name: string, range?: ByteRange): AsyncGenerator<Buffer> {
  let position = range?.start ?? 0
  let end = range?.end
  let fruitless = 0
  while (end === undefined || position <= end) {
    const object = await bucket.get(name, end === undefined ? undefined : { start: position, end })
    if (!object) throw new ObjectMissingError(`${name} is not there`)
    end ??= object.size - 1
    const before = position
    try {
      for await (const buffer of object.body as AsyncIterable<Buffer>) {
        position += buffer.length
        yield buffer
      }
    } catch (error) {
      if (!isPassing(error)) throw error
    }
    fruitless = position > before ? 0 : fruitless + 1
    if (position <= end && fruitless > MAX_FRUITLESS) throw new Error(`${name} ended at ${position}, before ${end}`)
  }
}
