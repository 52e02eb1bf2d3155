import { BLOCK_LENGTH } from './envelope.ts'
import type { FieldElement } from './field.ts'
import type { FileKey } from './file-key.ts'
import { appendSum, blocksIn, decryptSegment, encryptSegment } from './gcm.ts'
import { release } from './release.ts'

type Bytes = Uint8Array<ArrayBuffer>

/**
 * What one call gets. Browsers copy what they are given and allocate what they give: larger pieces cost new memory for
 * each call, and leave the processor's caches; smaller ones cost more calls. Measured in decision 012.
 */
export const SEGMENT_LENGTH = 256 * 1024
/** While one is being encrypted the next is handed over. */
const AT_ONCE = 2

/**
 * Encrypts a stretch of a file **in place**, before which come `first` blocks: whole blocks, unless it is the end of the
 * file. Gives its sum. When it rejects the bytes are neither the one nor the other.
 */
export function encryptBatch(key: FileKey, iv: Bytes, first: number, bytes: Bytes): Promise<FieldElement> {
  return inSegments(encryptSegment, key, iv, first, bytes)
}

/** The reverse. The sum is of the ciphertext, so that both give the same. */
export function decryptBatch(key: FileKey, iv: Bytes, first: number, bytes: Bytes): Promise<FieldElement> {
  return inSegments(decryptSegment, key, iv, first, bytes)
}

async function inSegments(
  work: typeof encryptSegment,
  key: FileKey,
  iv: Bytes,
  first: number,
  bytes: Bytes,
): Promise<FieldElement> {
  const sums: FieldElement[] = []
  let next = 0
  const takeInTurn = async () => {
    for (let at = next; at < bytes.length; at = next) {
      next = at + SEGMENT_LENGTH
      const part = bytes.subarray(at, next)
      const segment = await work(key, iv, first + at / BLOCK_LENGTH, part)
      part.set(segment.bytes)
      release(segment.bytes)
      sums[at / SEGMENT_LENGTH] = segment.sum
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, takeInTurn))
  const blocksOf = (index: number) => blocksIn(Math.min(SEGMENT_LENGTH, bytes.length - index * SEGMENT_LENGTH))
  return sums.reduce((sum, one, index) => appendSum(key, sum, one, blocksOf(index)), 0n)
}
