import type { Folder } from '@alcove/contract/items'
import { MAX_ITEM_COUNT } from '@alcove/contract/limits'
import { formatCount, formatDayWithYear, plural } from '../../lib/format.ts'

/** What a tile or row says of a folder; without its contents where the list doesn't have them. */
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
