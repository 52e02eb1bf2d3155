import { BLOCK_LENGTH, IV_LENGTH, MAX_ENCRYPTABLE_SIZE } from './envelope.ts'
import { type FieldElement, invert, multiply, power, toBlock, toElement } from './field.ts'
import type { FileKey } from './file-key.ts'

/**
 * AES-256-GCM in segments, each by native calls. How it works is derived in docs/decisions/012-vault-stream.md.
 *
 * H is `key.hash`, C1…Cm are the blocks of a segment, the last one filled up with zeros. The **sum** of the segment is
 * C1·H^(m+1) + C2·H^m + … + Cm·H^2, which is GHASH without the block of lengths, times H.
 */
export interface Segment {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly sum: FieldElement
}

type Bytes = Uint8Array<ArrayBuffer>

/** Encrypts a segment, before which come `first` blocks: whole blocks, unless it is the end of the file. */
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

/** The reverse. The sum is of the ciphertext, so that both give the same. */
export async function decryptSegment(key: FileKey, iv: Bytes, first: number, ciphertext: Bytes): Promise<Segment> {
  const [bytes, sum] = await Promise.all([applyKeystream(key, iv, first, ciphertext), sumOf(key, iv, ciphertext)])
  return { bytes, sum }
}

/** Encrypts, and decrypts, without a sum: for parts that are not verified. */
export async function applyKeystream(key: FileKey, iv: Bytes, first: number, bytes: Bytes): Promise<Bytes> {
  assertInCounter(first, bytes.length)
  const counter = counterBlock(iv, first + 2)
  return new Uint8Array(await crypto.subtle.encrypt({ name: 'AES-CTR', counter, length: 32 }, key.ctr, bytes))
}

/** The sum of the whole from the sum of what came before and that of the next `blocks` blocks. */
export function appendSum(key: FileKey, before: FieldElement, next: FieldElement, blocks: number): FieldElement {
  return before === 0n ? next : multiply(before, powerOfHash(key, blocks)) ^ next
}

/** The tag of a file whose whole ciphertext has this sum. */
export async function tagOf(key: FileKey, iv: Bytes, sum: FieldElement, size: number): Promise<Bytes> {
  return toBlock(sum ^ lengths(key, 0, size) ^ (await encryptBlock(key, counterBlock(iv, 1))))
}

export function blocksIn(length: number): number {
  return Math.ceil(length / BLOCK_LENGTH)
}

/**
 * GHASH of the ciphertext by the browser: as additional data of an empty message. The tag of that is masked by the same
 * block as the tag of the file, so it must never leave this function.
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
 * The IV of 16 bytes under which GCM begins to count at a given block. From such an IV it makes that block by GHASH:
 * IV·H^2 + [128]·H. That is solved for the IV.
 */
function solveIv(key: FileKey, begin: Bytes): Bytes {
  return toBlock(multiply(toElement(begin) ^ lengths(key, 0, BLOCK_LENGTH), inverseSquareOfHash(key)))
}

/** GCM's last block, how many bits of additional data and of ciphertext there were, times H. */
function lengths(key: FileKey, additional: number, ciphertext: number): FieldElement {
  const block = (BigInt(additional * 8) << 64n) | BigInt(ciphertext * 8)
  return remembered(key, `${additional} ${ciphertext}`, () => multiply(block, key.hash))
}

/** The block that GCM counts with: 1 masks the tag, block n of the file is encrypted with n + 2. */
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

/** The counter has 32 bits. Within the limit it never comes round, which would use a part of the keystream twice. */
function assertInCounter(first: number, length: number): void {
  if (first * BLOCK_LENGTH + length > MAX_ENCRYPTABLE_SIZE)
    throw new RangeError('AES-GCM ends at 64 GiB less 32 bytes.')
}

/** What was computed of the keys that were used last, by their H: a worker gets its key anew with each job. */
const products = new Map<FieldElement, Map<string, FieldElement>>()
const MAX_KEYS = 8
/** Only the ends of files have lengths of their own. */
const MAX_PRODUCTS = 32

/** The same products of H are needed for every segment of the same length. */
function remembered({ hash }: FileKey, name: string, compute: () => FieldElement): FieldElement {
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
  remembered(key, `power ${blocks}`, () => power(key.hash, BigInt(blocks)))
const inverseSquareOfHash = (key: FileKey) =>
  remembered(key, 'inverse square', () => invert(multiply(key.hash, key.hash)))
