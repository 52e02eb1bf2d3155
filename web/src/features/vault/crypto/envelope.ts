import { VaultFailure } from './vault-failure.ts'

/**
 * The envelope is the stored form of a vault file: salt (16 bytes), IV (12), ciphertext (as long as the file), tag (16).
 * Any implementation of AES-256-GCM opens it; see the README.
 */

export const SALT_LENGTH = 16
export const IV_LENGTH = 12
const TAG_LENGTH = 16
export const HEADER_LENGTH = SALT_LENGTH + IV_LENGTH
export const BLOCK_LENGTH = 16

/** AES-GCM counts blocks with 32 bits: more than 64 GiB less 32 bytes under one key and IV is neither secure nor defined. */
export const MAX_ENCRYPTABLE_SIZE = 2 ** 36 - 32

export interface EnvelopeHeader {
  readonly salt: Uint8Array<ArrayBuffer>
  readonly iv: Uint8Array<ArrayBuffer>
}

/** The salt and IV of an envelope in base64url: random, public, and never used for other bytes. */
export interface Seal {
  readonly salt: string
  readonly iv: string
}

/** Returns the size of the envelope of a file of `size` bytes. */
export function envelopeSize(size: number): number {
  return HEADER_LENGTH + size + TAG_LENGTH
}

/** Returns the size of the file in an envelope, or undefined if it is too short to be one. */
export function sizeInEnvelope(size: number): number | undefined {
  const left = size - HEADER_LENGTH - TAG_LENGTH
  return left < 0 ? undefined : left
}

/** Returns whether a file of this size can be encrypted. */
export function isEncryptable(size: number): boolean {
  return size <= MAX_ENCRYPTABLE_SIZE
}

export function createHeader(): EnvelopeHeader {
  return {
    salt: crypto.getRandomValues(new Uint8Array(SALT_LENGTH)),
    iv: crypto.getRandomValues(new Uint8Array(IV_LENGTH)),
  }
}

export function writeHeader({ salt, iv }: EnvelopeHeader): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(HEADER_LENGTH)
  bytes.set(salt)
  bytes.set(iv, SALT_LENGTH)
  return bytes
}

export function readHeader(bytes: Uint8Array): EnvelopeHeader {
  return { salt: bytes.slice(0, SALT_LENGTH), iv: bytes.slice(SALT_LENGTH, HEADER_LENGTH) }
}

type Bytes = Uint8Array<ArrayBuffer>

/** The parts of an envelope in their order: one header, any number of batches of ciphertext, one tag. */
type EnvelopePart =
  | { readonly kind: 'header'; readonly bytes: Bytes }
  | { readonly kind: 'batch'; readonly bytes: Bytes }
  | { readonly kind: 'tag'; readonly bytes: Bytes }

/**
 * Splits an envelope of unknown length. Holds back what may be the tag until more bytes arrive. The consumer owns the
 * buffer of each part: it isn't written to again, unless `takeSpare` returns it.
 */
export async function* splitEnvelope(
  stream: AsyncIterable<Uint8Array>,
  batchLength: number,
  takeSpare: () => ArrayBuffer | undefined = () => undefined,
): AsyncGenerator<EnvelopePart, void, void> {
  let buffer = new Uint8Array(HEADER_LENGTH)
  let filled = 0
  let isHeader = true
  for await (const bytes of stream) {
    for (let taken = 0; taken < bytes.length; ) {
      const some = bytes.subarray(taken, taken + buffer.length - filled)
      buffer.set(some, filled)
      filled += some.length
      taken += some.length
      if (filled < buffer.length) continue
      const next = new Uint8Array(takeSpare() ?? new ArrayBuffer(batchLength + TAG_LENGTH))
      filled = isHeader ? 0 : TAG_LENGTH
      if (!isHeader) next.set(buffer.subarray(batchLength))
      yield isHeader ? { kind: 'header', bytes: buffer } : { kind: 'batch', bytes: buffer.subarray(0, batchLength) }
      buffer = next
      isHeader = false
    }
  }
  if (isHeader || filled < TAG_LENGTH) throw new VaultFailure('too-short')
  const end = filled - TAG_LENGTH
  const tag = buffer.slice(end, filled)
  if (end > 0) yield { kind: 'batch', bytes: buffer.subarray(0, end) }
  yield { kind: 'tag', bytes: tag }
}
