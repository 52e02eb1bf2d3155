import { fromBase64url, toBase64url } from './base64url.ts'
import { type FieldElement, toElement } from './field.ts'
import { VaultFailure } from './vault-failure.ts'

const ROUNDS = 100_000
const KEY_LENGTH = 32
const CHECK_LENGTH = 16
/** Sets the check value apart from whatever else may once be derived of the key. */
const CHECK_LABEL = 'alcove vault check value'

/**
 * The key of one file, as handles that no script can read the key from. It opens this file alone, since every file has a
 * salt of its own.
 */
export interface FileKey {
  readonly gcm: CryptoKey
  readonly ctr: CryptoKey
  /** H of GHASH: the block of zeros, encrypted. */
  readonly hash: FieldElement
  /** 22 characters that tell the right passphrase from a wrong one, to be stored beside the file (`vaultCheck`). */
  readonly checkValue: string
}

/** What opens a file: the passphrase, or the key of the file that a link carried. */
export type Secret = string | FileKey

/**
 * Derives the key of a file: PBKDF2-SHA-256, 100,000 rounds, of the passphrase as it was typed, in UTF-8. It is not
 * normalised, for then what others wrote by the same recipe would not open here, and the reverse.
 */
export async function deriveKey(passphrase: string, salt: Uint8Array<ArrayBuffer>): Promise<FileKey> {
  return fromBits(await deriveBits(passphrase, salt))
}

/** The key of a file as text for the fragment of a link (`#key=…`): 43 characters of base64url. */
export async function exportKey(passphrase: string, salt: Uint8Array<ArrayBuffer>): Promise<string> {
  const bits = await deriveBits(passphrase, salt)
  const text = toBase64url(bits)
  bits.fill(0)
  return text
}

/** The key that such a text stands for; undefined when it stands for none. */
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

/** Makes the handles, and wipes the bits. */
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
    // Counting from the block of zeros, the first block of the keystream is that block, encrypted.
    subtle.encrypt({ name: 'AES-CTR', counter: zeros, length: 128 }, ctr, zeros),
    subtle.deriveBits({ name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info }, check, CHECK_LENGTH * 8),
  ])
  return { gcm, ctr, hash: toElement(new Uint8Array(hash)), checkValue: toBase64url(new Uint8Array(checkValue)) }
}

function assertSubtle(): SubtleCrypto {
  if (!globalThis.crypto?.subtle) throw new VaultFailure('unsupported')
  return crypto.subtle
}
