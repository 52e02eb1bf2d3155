import { randomUUIDv7 } from 'node:crypto'

/** A new key for a blob. Keys rise with time, so that what arrives together lies together. */
export function createBlobKey(): string {
  return randomUUIDv7()
}

/** What the keys made before a time, in milliseconds since 1970, are smaller than (RFC 9562, section 5.7). */
export function keyAt(time: number): string {
  const hex = time.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}`
}
