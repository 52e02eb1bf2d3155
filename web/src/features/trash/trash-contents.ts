import type { Item } from '@alcove/contract/items'
import type { TrashedItem } from '@alcove/contract/trash'
import type { Trash } from './queries.ts'

export const EMPTY_TRASH: Trash = { files: [], folders: [] }

export function withoutItem({ files, folders }: Trash, { id }: TrashedItem): Trash {
  return { files: files.filter((file) => file.id !== id), folders: folders.filter((folder) => folder.id !== id) }
}

/** With an item put back where it had been taken away: the newest first. */
export function withItem(trash: Trash, item: TrashedItem): Trash {
  const { files, folders } = withoutItem(trash, item)
  return item.type === 'file'
    ? { folders, files: newestFirst([...files, item]) }
    : { files, folders: newestFirst([...folders, item]) }
}

function newestFirst<T extends TrashedItem>(items: T[]): T[] {
  return items.toSorted((a, b) => (a.deleted_at < b.deleted_at ? 1 : a.deleted_at > b.deleted_at ? -1 : 0))
}

/** What a restored item is told with: also its name and place, where they are not the ones it had. */
export function describeRestored(trashed: TrashedItem, restored: Item): string {
  const name = restored.name === trashed.name ? '' : ` as ${restored.name}`
  const place = parentOf(restored) === parentOf(trashed) ? '' : ' at the root'
  return `${trashed.type === 'file' ? 'File' : 'Folder'} restored${name}${place}.`
}

function parentOf(item: Item): string | null {
  return item.type === 'file' ? item.folder_id : item.parentId
}

/** The folder that an item lay in, in words, or undefined for the root of the drive. */
export function describePlace({ originalPath, isEncrypted }: TrashedItem): string | undefined {
  if (isEncrypted) return originalPath === '/' ? 'Vault' : `Vault${originalPath}`
  return originalPath === '/' ? undefined : originalPath.slice(1)
}
