import { createHash, randomBytes } from 'node:crypto'

/** A token for a mail link: random, and only its hash is kept, so that the database alone opens no account. */
export function createOneTimeToken(): { token: string; hash: string } {
  const token = randomBytes(32).toString('base64url')
  return { token, hash: hashOneTimeToken(token) }
}

export function hashOneTimeToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
