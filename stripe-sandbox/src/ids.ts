import { randomInt } from 'node:crypto'

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Text that nobody guesses. */
export function randomText(length: number): string {
  return Array.from({ length }, () => LETTERS[randomInt(LETTERS.length)]).join('')
}

/** An id as Stripe's look: what it names, and 24 characters by chance. */
export function newId(prefix: string): string {
  return `${prefix}_${randomText(24)}`
}
