import type { ItemRow } from '../../platform/db/tables.ts'
import { folderTag } from '../items/index.ts'

/**
 * Returns the strong entity tag of a file, which downloads send too, or that of a folder, which changes with anything below it. A
 * folder has none if no client follows changes. `also` is what else its tag depends on: the shared folders below, or the role in one.
 */
export function etagOf(
  row: Pick<ItemRow, 'id' | 'blob_key' | 'changed_in'>,
  followedSince: number | null = null,
  also?: string,
): string | undefined {
  if (row.blob_key !== null) return `"${row.blob_key}"`
  if (followedSince === null) return undefined
  const tag = folderTag(row, followedSince)
  return also === undefined ? `"${tag}"` : `"${tag}-${also}"`
}
