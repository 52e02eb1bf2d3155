import type { ItemRow } from '../../platform/db/tables.ts'

/** Returns the strong entity tag of a file, which downloads send too. Folders have none. */
export function etagOf({ blob_key }: Pick<ItemRow, 'blob_key'>): string | undefined {
  return blob_key === null ? undefined : `"${blob_key}"`
}
