import { createHash, createHmac, randomBytes, randomInt } from 'node:crypto'
import { RECOVERY_CODES } from '@alcove/contract/limits'

/** Creates a random token for a link in a mail. Only its hash is stored, so the database alone opens no account. */
export function createOneTimeToken(): { token: string; hash: string } {
  const token = randomBytes(32).toString('base64url')
  return { token, hash: hashOneTimeToken(token) }
}

export function hashOneTimeToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/** Creates the token in a public link's address: 128 random bits, so that links can't be guessed. */
export function createLinkToken(): string {
  return randomBytes(16).toString('base64url')
}

/** Returns whether a text has the form of such a token. */
export function isLinkToken(text: string): boolean {
  return /^[\w-]{22}$/.test(text)
}

/** No characters that are easily confused on paper. */
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
const LENGTH = 12
const GROUP = 4

/** Creates new recovery codes as they are shown, with 60 random bits each: `7K2M-QXHA-94TP`. */
export function createRecoveryCodes(): string[] {
  const codes = new Set<string>()
  while (codes.size < RECOVERY_CODES) codes.add(createCode())
  return [...codes]
}

function createCode(): string {
  const signs = Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)])
  const groups = Array.from({ length: LENGTH / GROUP }, (_, index) => signs.slice(index * GROUP, (index + 1) * GROUP))
  return groups.map((group) => group.join('')).join('-')
}

/** Hashes a recovery code, with or without its dashes. The key makes the hash useless to anyone who has only the database. */
export function hashRecoveryCode(key: Uint8Array, code: string): string {
  return createHmac('sha256', key).update(code.replaceAll('-', '')).digest('base64url')
}
