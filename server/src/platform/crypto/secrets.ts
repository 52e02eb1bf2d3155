import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { link, mkdir, open, readFile, unlink } from 'node:fs/promises'
import { join } from 'node:path'

/** The keys that sign, encrypt and hash. Each purpose has its own key, derived from the one secret. */
export interface Secrets {
  sessionKey: Uint8Array
  urlKey: Uint8Array
  /** Encrypts the secrets of authenticator apps. */
  twoFactorKey: Uint8Array
  /** Hashes recovery codes, which are too short for a hash without a key. */
  recoveryKey: Uint8Array
  /** Hashes app passwords. */
  appPasswordKey: Uint8Array
  /** Encrypts the login flows of Nextcloud clients. */
  loginFlowKey: Uint8Array
  /** Signs the one-time address of the first administrator. */
  setupKey: Uint8Array
  /** Derives and encrypts what sign-ins through providers need. */
  oidcKey: Uint8Array
  /** Signs what the server sends to its own public address to recognize itself. */
  selfTestKey: Uint8Array
  /** Signs the links of invitations. */
  invitationKey: Uint8Array
  /** Signs the events of the payment sandbox. */
  sandboxWebhookSecret: string
}

export function deriveSecrets(secret: string): Secrets {
  const derive = (purpose: string) => new Uint8Array(hkdfSync('sha256', secret, '', `alcove ${purpose}`, 32))
  return {
    sessionKey: derive('session'),
    urlKey: derive('url'),
    twoFactorKey: derive('two-factor'),
    recoveryKey: derive('recovery codes'),
    appPasswordKey: derive('app passwords'),
    loginFlowKey: derive('login flows'),
    setupKey: derive('first administrator'),
    oidcKey: derive('single sign-on'),
    selfTestKey: derive('self-test'),
    invitationKey: derive('invitations'),
    sandboxWebhookSecret: `whsec_${Buffer.from(derive('sandbox webhook')).toString('base64url')}`,
  }
}

/**
 * Returns the secret in the data directory, which the first start creates. If two servers start at once, both get the same one.
 */
export async function readOrCreateSecret(dataDir: string): Promise<string> {
  const path = join(dataDir, 'secret')
  const kept = await readFile(path, 'utf8').catch(() => undefined)
  if (kept) return kept
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  const file = await open(draft, 'wx', 0o600)
  await file.writeFile(randomBytes(32).toString('base64url'))
  await file.sync()
  await file.close()
  // A link, not a rename: it fails if another server was first, and never leaves half a secret.
  await link(draft, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await unlink(draft)
  return readFile(path, 'utf8')
}

/** Signs the parts of an address. Each is on a line of its own, so that they can't be confused. */
export function signParts(key: Uint8Array, parts: readonly string[]): string {
  return createHmac('sha256', key).update(parts.join('\n')).digest('base64url')
}

export function isSignatureOf(key: Uint8Array, parts: readonly string[], signature: string): boolean {
  const expected = Buffer.from(signParts(key, parts))
  const given = Buffer.from(signature)
  return expected.length === given.length && timingSafeEqual(expected, given)
}

const IV_LENGTH = 12
const TAG_LENGTH = 16

/** Encrypts a text for the database (AES-256-GCM). It can be decrypted only for the same purpose, such as a user's id. */
export function sealText(key: Uint8Array, text: string, purpose: string): string {
  const iv = randomBytes(IV_LENGTH)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(purpose))
  return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64url')
}

/** Decrypts a sealed text. Throws if the key, the purpose or any byte differs. */
export function openText(key: Uint8Array, sealed: string, purpose: string): string {
  const bytes = Buffer.from(sealed, 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_LENGTH), { authTagLength: TAG_LENGTH })
  decipher.setAAD(Buffer.from(purpose)).setAuthTag(bytes.subarray(-TAG_LENGTH))
  return decipher.update(bytes.subarray(IV_LENGTH, -TAG_LENGTH), undefined, 'utf8') + decipher.final('utf8')
}
