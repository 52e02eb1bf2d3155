import { randomUUIDv7 } from 'node:crypto'

/** A new key for a blob. Keys rise with time, so that what arrives together lies together. */
export function createBlobKey(): string {
  return randomUUIDv7()
}
