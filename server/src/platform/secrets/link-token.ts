import { randomBytes } from 'node:crypto'

/** What stands in a public link's address: 128 random bits, so that none is found by trying. */
export function createLinkToken(): string {
  return randomBytes(16).toString('base64url')
}

/** Whether a text could be such a token at all. */
export function isLinkToken(text: string): boolean {
  return /^[\w-]{22}$/.test(text)
}
