import { release } from './bytes.ts'
import { BLOCK_LENGTH, IV_LENGTH, MAX_ENCRYPTABLE_SIZE } from './envelope.ts'
import { type FieldElement, invert, multiply, power, toBlock, toElement } from './field.ts'
import type { FileKey } from './file-key.ts'

/**
 * AES-256-GCM in segments, each by native calls. How it works is derived in docs/decisions/012-vault-stream.md.
 *
 * SURPRISE: WebCrypto can't encrypt a stream by AES-GCM, so each segment is one native call under an IV solved for its place in
 * the file, and the tag of the whole is computed from those of the segments in GF(2^128) (field.ts).
 * Measured: with two workers, encrypting a file of 256 MiB is 2.8 times as fast as one call of WebCrypto for the whole file, and
 * decrypting it into a file 1.9 times. Memory stays the same however large the file is.
 * Remove it when: WebCrypto takes streams for AES-GCM. The envelope stays as it is: the bytes are those of ordinary AES-256-GCM.
 *
 * H is `key.hash`, C1…Cm are the blocks of a segment, the last one filled up with zeros. The **sum** of the segment is
 * C1·H^(m+1) + C2·H^m + … + Cm·H^2, which is GHASH without the block of lengths, times H.
 */
interface Segment {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly sum: FieldElement
}

type Bytes = Uint8Array<ArrayBuffer>

/** Encrypts a segment that `first` blocks precede. It has whole blocks, unless it is the end of the file. */
export async function encryptSegment(key: FileKey, iv: Bytes, first: number, plain: Bytes): Promise<Segment> {
  assertInCounter(first, plain.length)
  const begin = counterBlock(iv, first + 1)
  const [sealed, mask] = await Promise.all([
    crypto.subtle.encrypt({ name: 'AES-GCM', iv: first === 0 ? iv : solveIv(key, begin) }, key.gcm, plain),
    encryptBlock(key, begin),
  ])
  const bytes = new Uint8Array(sealed, 0, plain.length)
  const tag = toElement(new Uint8Array(sealed, plain.length))
  return { bytes, sum: tag ^ mask ^ lengths(key, 0, plain.length) }
}

/** Decrypts a segment. Its sum is that of the ciphertext, as for encrypting. */
export async function decryptSegment(key: FileKey, iv: Bytes, first: number, ciphertext: Bytes): Promise<Segment> {
  const [bytes, sum] = await Promise.all([applyKeystream(key, iv, first, ciphertext), sumOf(key, iv, ciphertext)])
  return { bytes, sum }
}

/** Encrypts or decrypts without a sum: for parts that are not verified. */
export async function applyKeystream(key: FileKey, iv: Bytes, first: number, bytes: Bytes): Promise<Bytes> {
  assertInCounter(first, bytes.length)
  const counter = counterBlock(iv, first + 2)
  return new Uint8Array(await crypto.subtle.encrypt({ name: 'AES-CTR', counter, length: 32 }, key.ctr, bytes))
}

/** Appends the sum of the next `blocks` blocks to the sum of what precedes them. */
export function appendSum(key: FileKey, before: FieldElement, next: FieldElement, blocks: number): FieldElement {
  return before === 0n ? next : multiply(before, powerOfHash(key, blocks)) ^ next
}

/** Returns the tag of a file whose whole ciphertext has this sum. */
export async function tagOf(key: FileKey, iv: Bytes, sum: FieldElement, size: number): Promise<Bytes> {
  return toBlock(sum ^ lengths(key, 0, size) ^ (await encryptBlock(key, counterBlock(iv, 1))))
}

export function blocksIn(length: number): number {
  return Math.ceil(length / BLOCK_LENGTH)
}

/**
 * Has the browser compute GHASH of the ciphertext, as the additional data of an empty message. That tag is masked by the
 * same block as the tag of the file, so it must never leave this function.
 */
async function sumOf(key: FileKey, iv: Bytes, ciphertext: Bytes): Promise<FieldElement> {
  const recipe = { name: 'AES-GCM', iv, additionalData: ciphertext }
  const [tag, mask] = await Promise.all([
    crypto.subtle.encrypt(recipe, key.gcm, new Uint8Array()),
    encryptBlock(key, counterBlock(iv, 1)),
  ])
  return toElement(new Uint8Array(tag)) ^ mask ^ lengths(key, ciphertext.length, 0)
}

/**
 * Returns the IV of 16 bytes for which GCM starts counting at a given block. GCM derives that block from such an IV by
 * GHASH: IV·H^2 + [128]·H. This solves the equation for the IV.
 */
function solveIv(key: FileKey, begin: Bytes): Bytes {
  return toBlock(multiply(toElement(begin) ^ lengths(key, 0, BLOCK_LENGTH), inverseSquareOfHash(key)))
}

/** Returns GCM's last block, the lengths of additional data and ciphertext in bits, times H. */
function lengths(key: FileKey, additional: number, ciphertext: number): FieldElement {
  const block = (BigInt(additional * 8) << 64n) | BigInt(ciphertext * 8)
  return cached(key, `${additional} ${ciphertext}`, () => multiply(block, key.hash))
}

/** Returns a counter block of GCM: 1 masks the tag, n + 2 encrypts block n of the file. */
function counterBlock(iv: Bytes, count: number): Bytes {
  const block = new Uint8Array(BLOCK_LENGTH)
  block.set(iv)
  new DataView(block.buffer).setUint32(IV_LENGTH, count)
  return block
}

async function encryptBlock(key: FileKey, counter: Bytes): Promise<FieldElement> {
  const zeros = new Uint8Array(BLOCK_LENGTH)
  return toElement(
    new Uint8Array(await crypto.subtle.encrypt({ name: 'AES-CTR', counter, length: 32 }, key.ctr, zeros)),
  )
}

/** The counter has 32 bits. Within the limit it never wraps around, which would reuse a part of the keystream. */
function assertInCounter(first: number, length: number): void {
  if (first * BLOCK_LENGTH + length > MAX_ENCRYPTABLE_SIZE)
    throw new RangeError('AES-GCM ends at 64 GiB less 32 bytes.')
}

/** A cache by H of the latest keys, since a worker gets the key again with each job. */
const products = new Map<FieldElement, Map<string, FieldElement>>()
const MAX_KEYS = 8
/** Few products suffice: only the last segments of files differ in length. */
const MAX_PRODUCTS = 32

/** Returns a product of H, which is the same for all segments of the same length. */
function cached({ hash }: FileKey, name: string, compute: () => FieldElement): FieldElement {
  const known = products.get(hash) ?? new Map<string, FieldElement>()
  const found = known.get(name) ?? compute()
  if (known.size < MAX_PRODUCTS) known.set(name, found)
  products.delete(hash)
  products.set(hash, known)
  const [oldest] = products.keys()
  if (products.size > MAX_KEYS && oldest !== undefined) products.delete(oldest)
  return found
}

const powerOfHash = (key: FileKey, blocks: number) =>
  cached(key, `power ${blocks}`, () => power(key.hash, BigInt(blocks)))
const inverseSquareOfHash = (key: FileKey) => cached(key, 'inverse square', () => invert(multiply(key.hash, key.hash)))

/**
 * The length of the input of one call. Browsers copy the input and allocate the output: longer segments cost new memory
 * for each call and exceed the CPU caches, shorter ones cost more calls. Measured in decision 012.
 */
export const SEGMENT_LENGTH = 256 * 1024
/** While one segment is encrypted, the next is passed to the browser. */
const CONCURRENCY = 2

/**
 * Encrypts a batch of segments **in place**, which `first` blocks precede. It has whole blocks, unless it is the end of the
 * file. Returns its sum. After a failure, the bytes are neither plaintext nor ciphertext.
 */
export function encryptBatch(key: FileKey, iv: Bytes, first: number, bytes: Bytes): Promise<FieldElement> {
  return inSegments(encryptSegment, key, iv, first, bytes)
}

/** Decrypts a batch in place. Its sum is that of the ciphertext, as for encrypting. */
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
  await Promise.all(Array.from({ length: CONCURRENCY }, takeInTurn))
  const blocksOf = (index: number) => blocksIn(Math.min(SEGMENT_LENGTH, bytes.length - index * SEGMENT_LENGTH))
  return sums.reduce((sum, one, index) => appendSum(key, sum, one, blocksOf(index)), 0n)
}
