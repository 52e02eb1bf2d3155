import { type Ciphertext, readCiphertext } from './ciphertext.ts'
import { BLOCK_LENGTH, type EnvelopeHeader, HEADER_LENGTH, readHeader, sizeInEnvelope } from './envelope.ts'
import { deriveKey, type FileKey, type Secret } from './file-key.ts'
import { applyKeystream } from './gcm.ts'
import { VaultFailure } from './vault-failure.ts'

/** An envelope whose header was read, and whose key is the right one, as far as its check value tells. */
export interface OpenedEnvelope {
  readonly ciphertext: Ciphertext
  readonly header: EnvelopeHeader
  readonly key: FileKey
  /** Of the file in it. */
  readonly size: number
  /** Whether a check value has confirmed the key. Without one only the tag, at the very end, does. */
  readonly isConfirmed: boolean
}

export interface OpenOptions {
  /** What was stored beside the file (`vaultCheck`). */
  readonly checkValue?: string
  readonly signal?: AbortSignal
}

/**
 * Reads the header, derives the key and compares the check value: so a wrong passphrase is known at once. Rejects with a
 * `VaultFailure`, or with the reason of the signal.
 */
export async function openEnvelope(
  ciphertext: Ciphertext,
  secret: Secret,
  { checkValue, signal }: OpenOptions = {},
): Promise<OpenedEnvelope> {
  const { total, bytes } = await readCiphertext(ciphertext, { start: 0, end: HEADER_LENGTH, signal })
  const size = sizeInEnvelope(total)
  if (size === undefined) throw new VaultFailure('too-short')
  const header = readHeader(bytes)
  const key = await unlock(header, secret, checkValue)
  return { ciphertext, header, key, size, isConfirmed: checkValue !== undefined }
}

/** The key of the envelope with this header; rejects with `wrong-passphrase` where the check value denies it. */
export async function unlock({ salt }: EnvelopeHeader, secret: Secret, checkValue?: string): Promise<FileKey> {
  const key = typeof secret === 'string' ? await deriveKey(secret, salt) : secret
  if (checkValue !== undefined && checkValue !== key.checkValue) throw new VaultFailure('wrong-passphrase')
  return key
}

/**
 * A part of the file, decrypted by itself: for previews and playback alone. NOT VERIFIED: whoever can change the bytes
 * on the server can change what this gives; only `decryptToFile` notices. The page has to say so.
 */
export async function decryptRange(
  { ciphertext, header, key, size }: OpenedEnvelope,
  offset: number,
  length: number,
  signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const first = Math.floor(offset / BLOCK_LENGTH)
  const start = first * BLOCK_LENGTH
  const end = Math.min(offset + length, size)
  if (end <= offset) return new Uint8Array()
  const range = { start: HEADER_LENGTH + start, end: HEADER_LENGTH + end, signal }
  const { bytes } = await readCiphertext(ciphertext, range)
  return (await applyKeystream(key, header.iv, first, bytes)).subarray(offset - start)
}
