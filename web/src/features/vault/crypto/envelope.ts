/**
 * The envelope, which is all there is in the blob of a vault file: salt (16 bytes), IV (12), ciphertext (as long as the
 * file), tag (16). Whatever opens AES-256-GCM opens it; see the README.
 */

export const SALT_LENGTH = 16
export const IV_LENGTH = 12
export const TAG_LENGTH = 16
export const HEADER_LENGTH = SALT_LENGTH + IV_LENGTH
export const BLOCK_LENGTH = 16

/** AES-GCM counts blocks with 32 bits: more than 64 GiB less 32 bytes under one key and IV is not safe, nor defined. */
export const MAX_ENCRYPTABLE_SIZE = 2 ** 36 - 32

export interface EnvelopeHeader {
  readonly salt: Uint8Array<ArrayBuffer>
  readonly iv: Uint8Array<ArrayBuffer>
}

/** What an envelope is made under: random, public, never used for other bytes. Both as base64url. */
export interface Seal {
  readonly salt: string
  readonly iv: string
}

/** How large the envelope of a file of `size` bytes is. */
export function envelopeSize(size: number): number {
  return HEADER_LENGTH + size + TAG_LENGTH
}

/** How large the file in an envelope is; undefined when it is too short for one. */
export function sizeInEnvelope(size: number): number | undefined {
  const left = size - HEADER_LENGTH - TAG_LENGTH
  return left < 0 ? undefined : left
}

/** Whether a file can be encrypted at all. Larger ones are refused by name before anything is sent. */
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
