import type { File, Folder, Item } from '@alcove/contract/items'

/** A selection that reaches beyond the loaded items: everything in a folder except some. */
export interface Everything {
  readonly folderId: string | undefined
  readonly exceptIds: readonly string[]
  readonly count: number
}

/**
 * What can be done with items, by buttons, menus, keys and the selection bar. An action that is absent isn't available
 * for the list. If `everything` is given, `items` are those of it that have loaded.
 */
export interface ItemActions {
  /** Opens a folder. Previews a file, or downloads it if it has no preview. */
  readonly open: (item: Item) => void
  readonly preview?: (item: Item) => void
  /** Absent, like moving and removing, where the user may only look or add. */
  readonly rename?: (item: Item) => void
  readonly download: (items: readonly Item[], everything?: Everything) => void
  /** Downloads an encrypted file as it is stored. */
  readonly downloadEncrypted?: (item: Item) => void
  readonly move?: (items: readonly Item[], everything?: Everything) => void
  /** Copies items into a folder that the user chooses. Menus show it where items can't be moved. */
  readonly copyTo?: (items: readonly Item[], everything?: Everything) => void
  readonly remove?: (items: readonly Item[], everything?: Everything) => void
  /** Absent where items can't be favorites, as in the vault. */
  readonly toggleFavorite?: (items: readonly Item[], isFavorite: boolean, everything?: Everything) => void
  /** Shows the public link. */
  readonly share?: (item: Item) => void
  /** Shows the people who have access to a folder. */
  readonly shareWithPeople?: (folder: Folder) => void
  /** Asks others for files, which go into a folder. */
  readonly requestFiles?: (folder: Folder) => void
  /** Shows what happened in a folder. */
  readonly activity?: (folder: Folder) => void
  /** Shows the earlier versions of a file. */
  readonly history?: (file: File) => void
  /** Opens the details of an item, or of the selection. */
  readonly details?: (item?: Item) => void
  /** Opens the details, or closes them if they are open. */
  readonly toggleDetails?: (item?: Item) => void
  readonly cut?: (items: readonly Item[]) => void
  readonly copy?: (items: readonly Item[]) => void
}
