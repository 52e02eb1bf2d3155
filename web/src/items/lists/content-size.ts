import type { File } from '@alcove/contract/items'

/**
 * What encryption adds to a file of the vault, in bytes: salt, IV and tag. The crypto, which lists need not load, knows it
 * too; a test of the vault holds them together.
 */
const ENVELOPE_BYTES = 16 + 12 + 16

/** How large a file is for who opens it. In the vault it is stored with its envelope, which counts for the storage alone. */
export function contentSizeOf({ size, isEncrypted }: Pick<File, 'size' | 'isEncrypted'>): number {
  return isEncrypted ? Math.max(0, size - ENVELOPE_BYTES) : size
}
