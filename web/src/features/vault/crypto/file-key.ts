import { fromBase64url, toBase64url } from './bytes.ts'
import { type FieldElement, toElement } from './field.ts'
import { VaultFailure } from './vault-failure.ts'

const ROUNDS = 100_000
const KEY_LENGTH = 32
const CHECK_LENGTH = 16
/** Separates the check value from anything else that may be derived from the key. */
const CHECK_LABEL = 'alcove vault check value'

/**
 * The key of one file, as handles from which no script can read the key. It opens only this file, since each file has its
 * own salt.
 */
export interface FileKey {
  readonly gcm: CryptoKey
  readonly ctr: CryptoKey
  /** H of GHASH: the block of zeros, encrypted. */
  readonly hash: FieldElement
  /** 22 characters that distinguish the correct passphrase from a wrong one, stored with the file (`vaultCheck`). */
  readonly checkValue: string
}

/** What opens a file: the passphrase, or the key of the file from a link. */
export type Secret = string | FileKey

/**
 * Derives the key of a file: PBKDF2-SHA-256, 100,000 rounds, of the passphrase as typed, in UTF-8. It is not normalized, so
 * that files are interchangeable with other programs that follow the same recipe.
 */
export async function deriveKey(passphrase: string, salt: Uint8Array<ArrayBuffer>): Promise<FileKey> {
  return fromBits(await deriveBits(passphrase, salt))
}

/** Returns the key of a file as text for the fragment of a link (`#key=…`): 43 characters of base64url. */
export async function exportKey(passphrase: string, salt: Uint8Array<ArrayBuffer>): Promise<string> {
  const bits = await deriveBits(passphrase, salt)
  const text = toBase64url(bits)
  bits.fill(0)
  return text
}

/** Returns the key for such a text, or undefined if it is not valid. */
export async function importKey(text: string): Promise<FileKey | undefined> {
  const bits = fromBase64url(text, KEY_LENGTH)
  return bits && fromBits(bits)
}

async function deriveBits(passphrase: string, salt: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const subtle = assertSubtle()
  const typed = await subtle.importKey('raw', new TextEncoder().encode(passphrase), 'PBKDF2', false, ['deriveBits'])
  const recipe = { name: 'PBKDF2', hash: 'SHA-256', salt, iterations: ROUNDS }
  return new Uint8Array(await subtle.deriveBits(recipe, typed, KEY_LENGTH * 8))
}

/** Creates the handles, and erases the bits. */
async function fromBits(bits: Uint8Array<ArrayBuffer>): Promise<FileKey> {
  const subtle = assertSubtle()
  const [gcm, ctr, check] = await Promise.all([
    subtle.importKey('raw', bits, 'AES-GCM', false, ['encrypt']),
    subtle.importKey('raw', bits, 'AES-CTR', false, ['encrypt']),
    subtle.importKey('raw', bits, 'HKDF', false, ['deriveBits']),
  ])
  bits.fill(0)
  const zeros = new Uint8Array(16)
  const info = new TextEncoder().encode(CHECK_LABEL)
  const [hash, checkValue] = await Promise.all([
    // With a counter of zeros, the first block of the keystream is the encrypted block of zeros.
    subtle.encrypt({ name: 'AES-CTR', counter: zeros, length: 128 }, ctr, zeros),
    subtle.deriveBits({ name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info }, check, CHECK_LENGTH * 8),
  ])
  return { gcm, ctr, hash: toElement(new Uint8Array(hash)), checkValue: toBase64url(new Uint8Array(checkValue)) }
}

function assertSubtle(): SubtleCrypto {
  if (!globalThis.crypto?.subtle) throw new VaultFailure('unsupported')
  return crypto.subtle
}
