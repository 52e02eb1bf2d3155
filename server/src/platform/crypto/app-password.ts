import { createHmac, randomInt } from 'node:crypto'

/** No characters that are easily confused on paper. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'
const LENGTH = 24
const GROUP = 4

/** Creates an app password with 118 random bits, as it is shown: `k7wm-q2xh-a94t-…`. */
export function createAppPassword(): string {
  const signs = Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
  return signs.match(new RegExp(`.{${GROUP}}`, 'g'))?.join('-') as string
}

/**
 * Returns the keyed hash of an app password, typed with or without its dashes, or undefined if a text has another form. It is
 * random, so a fast hash can't be reversed, and the key makes the database alone useless.
 */
export function hashAppPassword(key: Uint8Array, text: string): string | undefined {
  const secret = text.replace(/[-\s]/g, '').toLowerCase()
  if (secret.length !== LENGTH || !/^[a-z0-9]+$/.test(secret)) return undefined
  return createHmac('sha256', key).update(secret).digest('base64url')
}
