import { createHmac, randomInt } from 'node:crypto'
import { RECOVERY_CODES } from '@alcove/contract/limits'

/** Nothing that could be taken for something else on paper. */
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
const LENGTH = 12
const GROUP = 4

/** New recovery codes as they are shown, 60 random bits each: `7K2M-QXHA-94TP`. */
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

/** What is kept of a code, with or without its dashes. The key makes it useless to whoever has the database alone. */
export function hashRecoveryCode(key: Uint8Array, code: string): string {
  return createHmac('sha256', key).update(code.replaceAll('-', '')).digest('base64url')
}
