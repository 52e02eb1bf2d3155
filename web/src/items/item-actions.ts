import type { Item } from '@alcove/contract/items'

/** A selection that reaches beyond what has been loaded: everything in a folder but some. */
export interface Everything {
  readonly folderId: string | undefined
  readonly exceptIds: readonly string[]
  readonly count: number
}

/**
 * What can be done with items, wherever it is asked for: buttons, menu, keys, the bar of a selection. What is absent
 * cannot be done where the items are shown. Where `everything` is given, `items` are those of it that have been loaded.
 */
export interface ItemActions {
  /** Goes into a folder; shows a file, or downloads one that cannot be shown. */
  readonly open: (item: Item) => void
  readonly preview?: (item: Item) => void
  readonly rename: (item: Item) => void
  readonly download: (items: readonly Item[], everything?: Everything) => void
  /** Of what is encrypted, the bytes as they are stored. */
  readonly downloadEncrypted?: (item: Item) => void
  readonly move: (items: readonly Item[], everything?: Everything) => void
  readonly remove: (items: readonly Item[], everything?: Everything) => void
  /** Absent where items have no heart, as in the vault. */
  readonly toggleFavorite?: (items: readonly Item[], isFavorite: boolean, everything?: Everything) => void
  /** Shows the public link. */
  readonly share?: (item: Item) => void
  /** Opens the details: of the given item, or of what is selected. */
  readonly details?: (item?: Item) => void
  /** For the key that opens and closes them. */
  readonly toggleDetails?: (item?: Item) => void
  readonly cut?: (items: readonly Item[]) => void
  readonly copy?: (items: readonly Item[]) => void
}
