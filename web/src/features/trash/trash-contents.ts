import type { OutputOf } from '@alcove/contract/call'
import type { Item } from '@alcove/contract/items'
import { listTrash, type TrashedItem } from '@alcove/contract/trash'
import { useQuery } from '@tanstack/react-query'
import { send } from '../../api/api.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { parentOf } from '../../items/lists/item-lists.ts'
import { plural } from '../../lib/format.ts'

export type Trash = OutputOf<typeof listTrash>

export function useTrash() {
  return useQuery({ queryKey: queryKeys.trash, queryFn: ({ signal }) => send(listTrash, {}, { signal }) })
}

export function withoutItems({ files, folders }: Trash, items: readonly TrashedItem[]): Trash {
  const gone = new Set(items.map(({ id }) => id))
  return { files: files.filter(({ id }) => !gone.has(id)), folders: folders.filter(({ id }) => !gone.has(id)) }
}

/** Adds items again. The newest come first. */
export function withItems(trash: Trash, items: readonly TrashedItem[]): Trash {
  const { files, folders } = withoutItems(trash, items)
  return {
    files: newestFirst([...files, ...items.filter((item) => item.type === 'file')]),
    folders: newestFirst([...folders, ...items.filter((item) => item.type === 'folder')]),
  }
}

/** Returns when the last of the items was moved to the trash. */
export function newestOf({ files, folders }: Trash): string | undefined {
  return newestFirst<TrashedItem>([...files, ...folders])[0]?.deleted_at
}

function newestFirst<T extends TrashedItem>(items: T[]): T[] {
  return items.toSorted((a, b) => (a.deleted_at < b.deleted_at ? 1 : a.deleted_at > b.deleted_at ? -1 : 0))
}

/** Returns the message for a restored item: where it is, and its name if that has changed. */
export function describeRestored(trashed: TrashedItem, restored: Item): string {
  const name = restored.name === trashed.name ? '' : ` as ${restored.name}`
  const isWhereItWas = parentOf(restored) === parentOf(trashed)
  const place = isWhereItWas ? describePlace(trashed) : 'the root, because its folder no longer exists'
  return `${trashed.type === 'file' ? 'File' : 'Folder'} restored${name}${place ? ` to ${place}` : ''}.`
}

/** Returns the path of the folder that an item was in, or undefined for the root of the drive. */
export function describePlace({ originalPath, isEncrypted }: TrashedItem): string | undefined {
  if (isEncrypted) return originalPath === '/' ? 'Vault' : `Vault${originalPath}`
  return originalPath === '/' ? undefined : originalPath.slice(1)
}

/** Returns what to call items in a sentence: file, folder, or the number of items. */
export function nameOf(items: readonly TrashedItem[]): string {
  return items.length === 1 ? (items[0] as TrashedItem).type : plural(items.length, 'item')
}

/** Says which item prevented a change, and why. */
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
