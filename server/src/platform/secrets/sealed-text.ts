import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const IV_LENGTH = 12
const TAG_LENGTH = 16

/** Encrypts a text for the database (AES-256-GCM). It opens only for what it was sealed for, such as a user's id. */
export function sealText(key: Uint8Array, text: string, purpose: string): string {
  const iv = randomBytes(IV_LENGTH)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(purpose))
  return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64url')
}

/** The text that was sealed; throws where the key, the purpose or a byte is another. */
export function openText(key: Uint8Array, sealed: string, purpose: string): string {
  const bytes = Buffer.from(sealed, 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_LENGTH), { authTagLength: TAG_LENGTH })
  decipher.setAAD(Buffer.from(purpose)).setAuthTag(bytes.subarray(-TAG_LENGTH))
  return decipher.update(bytes.subarray(IV_LENGTH, -TAG_LENGTH), undefined, 'utf8') + decipher.final('utf8')
}
