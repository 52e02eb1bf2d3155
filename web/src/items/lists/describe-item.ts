import type { File, Folder, Item } from '@alcove/contract/items'
import { MAX_ITEM_COUNT } from '@alcove/contract/limits'
import { formatCount, formatDayWithYear, formatSize, plural } from '../../lib/format.ts'

/** Returns the date that lists show and sort by: a file's own modification date, or when a folder was last changed. */
export function modifiedOf(item: Item): string {
  return item.type === 'file' ? item.modifiedAt : item.updatedAt
}

/** Returns what a tile or row says about a folder. `contents` is undefined if the list doesn't have the item count. */
export function describeFolder({ itemCount, updatedAt }: Folder): { contents: string | undefined; modified: string } {
  const day = formatDayWithYear(updatedAt)
  return itemCount === undefined
    ? { contents: undefined, modified: `Modified ${day}` }
    : { contents: describeCount(itemCount), modified: day }
}

function describeCount(count: number): string {
  if (count === 0) return 'Empty'
  return count > MAX_ITEM_COUNT ? `${formatCount(MAX_ITEM_COUNT)}+ items` : plural(count, 'item')
}

/**
 * What encryption adds to a file of the vault, in bytes: salt, IV and tag. Lists don't load the cryptography, which has
 * the same number; a test of the vault compares them.
 */
const ENVELOPE_BYTES = 16 + 12 + 16

/** Returns the size of a file's content. The stored size of a vault file includes its envelope, which only quota counts. */
export function contentSizeOf({ size, isEncrypted }: Pick<File, 'size' | 'isEncrypted'>): number {
  return isEncrypted ? Math.max(0, size - ENVELOPE_BYTES) : size
}

/** Returns what a tile or row says in the place of a file's size. The details say what to do about damage. */
export function describeSize(file: File): string {
  return file.isDamaged ? 'Damaged' : formatSize(contentSizeOf(file))
}
