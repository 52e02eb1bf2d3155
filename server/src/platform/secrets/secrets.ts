import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { link, mkdir, open, readFile, unlink } from 'node:fs/promises'
import { join } from 'node:path'

/** The keys that sign, encrypt and hash: each purpose has its own, all drawn from the one secret. */
export interface Secrets {
  sessionKey: Uint8Array
  urlKey: Uint8Array
  /** Encrypts the secrets of authenticator apps. */
  twoFactorKey: Uint8Array
  /** Hashes recovery codes, which are too short for a hash without a key. */
  recoveryKey: Uint8Array
  /** What the payment sandbox signs its events with. */
  sandboxWebhookSecret: string
}

export function deriveSecrets(secret: string): Secrets {
  const derive = (purpose: string) => new Uint8Array(hkdfSync('sha256', secret, '', `alcove ${purpose}`, 32))
  return {
    sessionKey: derive('session'),
    urlKey: derive('url'),
    twoFactorKey: derive('two-factor'),
    recoveryKey: derive('recovery codes'),
    sandboxWebhookSecret: `whsec_${Buffer.from(derive('sandbox webhook')).toString('base64url')}`,
  }
}

/** The secret kept in the data directory, made there at the first start. Two starts at once agree on one. */
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
  // A link, not a rename: it fails when another start was first, and never leaves half a secret.
  await link(draft, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await unlink(draft)
  return readFile(path, 'utf8')
}

/** Signs the parts of an address; they must not be confused, so each is on a line of its own. */
export function signParts(key: Uint8Array, parts: readonly string[]): string {
  return createHmac('sha256', key).update(parts.join('\n')).digest('base64url')
}

export function isSignatureOf(key: Uint8Array, parts: readonly string[], signature: string): boolean {
  const expected = Buffer.from(signParts(key, parts))
  const given = Buffer.from(signature)
  return expected.length === given.length && timingSafeEqual(expected, given)
}
