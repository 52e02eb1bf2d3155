import type { ItemRow } from '../../platform/db/tables.ts'
import { folderTag } from '../items/index.ts'

/**
 * Returns the strong entity tag of a file, which downloads send too, or that of a folder, which changes with anything below it. A
 * folder has none if no client follows changes.
 */
export function etagOf(
  row: Pick<ItemRow, 'id' | 'blob_key' | 'changed_in'>,
  followedSince: number | null = null,
): string | undefined {
  if (row.blob_key !== null) return `"${row.blob_key}"`
  return followedSince === null ? undefined : `"${folderTag(row, followedSince)}"`
}
