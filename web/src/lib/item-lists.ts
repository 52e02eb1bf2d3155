import type { File, Folder, Item } from '@alcove/contract/items'
import type { QueryClient } from '@tanstack/react-query'
import { queryKeys } from './query-keys.ts'

/** Folders and files that are shown together: a folder's, or the favorites. */
export interface ItemLists {
  readonly folders: readonly Folder[]
  readonly files: readonly File[]
}

/** The folder that an item lies in; undefined at the root. */
export function parentOf(item: Item): string | undefined {
  return (item.type === 'file' ? item.folder_id : item.parentId) ?? undefined
}

export function withoutItem<Lists extends ItemLists>(lists: Lists, { id }: Item): Lists {
  return {
    ...lists,
    folders: lists.folders.filter((folder) => folder.id !== id),
    files: lists.files.filter((file) => file.id !== id),
  }
}

/** With the item in its new state, or put back where it had been taken away. */
function withItem<Lists extends ItemLists>(lists: Lists, item: Item): Lists {
  const rest = withoutItem(lists, item)
  return item.type === 'file'
    ? { ...rest, files: [...rest.files, item] }
    : { ...rest, folders: [...rest.folders, item] }
}

type Change = <Lists extends ItemLists>(lists: Lists) => Lists

/** Changes what is shown of a folder before, or without, asking the server again. */
export function patchFolder(queryClient: QueryClient, folderId: string | undefined, change: Change): void {
  queryClient.setQueryData<ItemLists>(queryKeys.folder(folderId), (lists) => lists && change(lists))
}

/** The same for the favorites. */
export function patchFavorites(queryClient: QueryClient, change: Change): void {
  queryClient.setQueryData<ItemLists>(queryKeys.favorites, (lists) => lists && change(lists))
}

/** Shows an item in its new state wherever it is shown. */
export function patchItem(queryClient: QueryClient, item: Item): void {
  patchFolder(queryClient, parentOf(item), (lists) => withItem(lists, item))
  patchFavorites(queryClient, (lists) => (item.isFavorite ? withItem(lists, item) : withoutItem(lists, item)))
}
