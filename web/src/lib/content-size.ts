import type { File } from '@alcove/contract/items'

/** What encryption adds to a file of the vault, in bytes: the salt, the IV and the tag. */
const ENVELOPE_BYTES = 16 + 12 + 16

/** How large a file is for who opens it. In the vault it is stored with its envelope, which counts for the storage alone. */
export function contentSizeOf({ size, isEncrypted }: Pick<File, 'size' | 'isEncrypted'>): number {
  return isEncrypted ? Math.max(0, size - ENVELOPE_BYTES) : size
}
