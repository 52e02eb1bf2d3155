import type { Item } from '@alcove/contract/items'
import type { TrashedItem } from '@alcove/contract/trash'
import { parentOf } from '../../items/lists/item-lists.ts'
import { plural } from '../../lib/format.ts'
import type { Trash } from './queries.ts'

export const EMPTY_TRASH: Trash = { files: [], folders: [] }

export function withoutItems({ files, folders }: Trash, items: readonly TrashedItem[]): Trash {
  const gone = new Set(items.map(({ id }) => id))
  return { files: files.filter(({ id }) => !gone.has(id)), folders: folders.filter(({ id }) => !gone.has(id)) }
}

/** With items put back where they had been taken away: the newest first. */
export function withItems(trash: Trash, items: readonly TrashedItem[]): Trash {
  const { files, folders } = withoutItems(trash, items)
  return {
    files: newestFirst([...files, ...items.filter((item) => item.type === 'file')]),
    folders: newestFirst([...folders, ...items.filter((item) => item.type === 'folder')]),
  }
}

function newestFirst<T extends TrashedItem>(items: T[]): T[] {
  return items.toSorted((a, b) => (a.deleted_at < b.deleted_at ? 1 : a.deleted_at > b.deleted_at ? -1 : 0))
}

/** What a restored item is told with: where it is again, and its name where that is not the one it had. */
export function describeRestored(trashed: TrashedItem, restored: Item): string {
  const name = restored.name === trashed.name ? '' : ` as ${restored.name}`
  const isWhereItWas = parentOf(restored) === parentOf(trashed)
  const place = isWhereItWas ? describePlace(trashed) : 'the root, for its folder is gone'
  return `${trashed.type === 'file' ? 'File' : 'Folder'} restored${name}${place ? ` to ${place}` : ''}.`
}

/** The folder that an item lay in, in words, or undefined for the root of the drive. */
export function describePlace({ originalPath, isEncrypted }: TrashedItem): string | undefined {
  if (isEncrypted) return originalPath === '/' ? 'Vault' : `Vault${originalPath}`
  return originalPath === '/' ? undefined : originalPath.slice(1)
}

/** What some items are called in a sentence: file, folder, or how many items. */
export function nameOf(items: readonly TrashedItem[]): string {
  return items.length === 1 ? (items[0] as TrashedItem).type : plural(items.length, 'item')
}

/** Which items stood in the way of a change, and why. */
export function describeFailed(
  failed: readonly { readonly itemId: string; readonly name?: string; readonly error: string }[],
  items: readonly TrashedItem[],
): string {
  const [first] = failed
  if (!first) return ''
  const name = first.name ?? items.find(({ id }) => id === first.itemId)?.name
  const others = failed.length > 1 ? ` And ${plural(failed.length - 1, 'other')}.` : ''
  return `: ${name ? `"${name}": ` : ''}${first.error}${others}`
}
