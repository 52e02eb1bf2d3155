import { type FileKey, importKey } from '../file-key.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** What the stream is held against: WebCrypto's own calls, which know nothing of segments. */
export async function sealInOneShot(bits: Bytes, iv: Bytes, plain: Bytes): Promise<Bytes> {
  const key = await crypto.subtle.importKey('raw', bits, 'AES-GCM', false, ['encrypt'])
  return new Uint8Array(await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, plain))
}

async function openInOneShot(bits: Bytes, iv: Bytes, sealed: Bytes): Promise<Bytes> {
  const key = await crypto.subtle.importKey('raw', bits, 'AES-GCM', false, ['decrypt'])
  return new Uint8Array(await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, sealed))
}

/** The bits of a key by the recipe of the specification. */
async function deriveInOneShot(passphrase: string, salt: Bytes): Promise<Bytes> {
  const typed = await crypto.subtle.importKey('raw', new TextEncoder().encode(passphrase), 'PBKDF2', false, [
    'deriveBits',
  ])
  const recipe = { name: 'PBKDF2', hash: 'SHA-256', salt, iterations: 100_000 }
  return new Uint8Array(await crypto.subtle.deriveBits(recipe, typed, 256))
}

/** A whole envelope, made in one call. */
export async function envelopeInOneShot(passphrase: string, plain: Bytes): Promise<Bytes> {
  const salt = randomBytes(16)
  const iv = randomBytes(12)
  const sealed = await sealInOneShot(await deriveInOneShot(passphrase, salt), iv, plain)
  return new Uint8Array(await new Blob([salt, iv, sealed]).arrayBuffer())
}

/** A whole envelope, opened in one call. */
export async function openEnvelopeInOneShot(passphrase: string, envelope: Bytes): Promise<Bytes> {
  const bits = await deriveInOneShot(passphrase, envelope.slice(0, 16))
  return openInOneShot(bits, envelope.slice(16, 28), envelope.slice(28))
}

export async function keyFromBits(bits: Bytes): Promise<FileKey> {
  const key = await importKey(Buffer.from(bits).toString('base64url'))
  if (!key) throw new Error('These are no bits of a key.')
  return key
}

export function randomBytes(length: number): Bytes {
  const bytes = new Uint8Array(length)
  for (let start = 0; start < length; start += 65_536) crypto.getRandomValues(bytes.subarray(start, start + 65_536))
  return bytes
}

export const fromHex = (text: string): Bytes => new Uint8Array(Buffer.from(text, 'hex'))
export const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
