import { randomInt } from 'node:crypto'

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Returns unguessable letters and digits. */
export function randomText(length: number): string {
  return Array.from({ length }, () => LETTERS[randomInt(LETTERS.length)]).join('')
}

/** Returns an id in Stripe's form: a prefix for the kind of object, then 24 random characters. */
export function newId(prefix: string): string {
  return `${prefix}_${randomText(24)}`
}

/** Formats an amount in cents: `$99.99`, `-$3.10`. */
export function formatMoney(cents: number, currency = 'usd'): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency: currency.toUpperCase() }).format(cents / 100)
}

/** Formats a time in seconds as a date in UTC: `22 Nov 2026`. */
export function formatDate(seconds: number): string {
  return new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }).format(
    seconds * 1000,
  )
}

export function formatTime(seconds: number): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(
    seconds * 1000,
  )
}
