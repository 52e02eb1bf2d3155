import type { Folder, Item } from '@alcove/contract/items'

/** Returns whether an item stands for a folder of somebody else, which the user has placed here. */
export function isMount(item: Item): item is Folder & Required<Pick<Folder, 'mount'>> {
  return item.type === 'folder' && item.mount !== undefined
}

/** Returns the id under which the contents of an item are: of a mount, that of the shared folder. */
export function contentIdOf(item: Item): string {
  return isMount(item) ? item.mount.folderId : item.id
}
