import type { Item } from '@alcove/contract/items'

/** Which items of a list are selected. */
export interface Selection {
  /** The selected ones, named; empty while `isAll`. */
  readonly ids: ReadonlySet<string>
  /** Where a range starts: the item that was chosen or toggled last. */
  readonly anchorId?: string
  /** Everything in the folder, loaded or not, but `exceptIds`. */
  readonly isAll: boolean
  readonly exceptIds: ReadonlySet<string>
}

const NOTHING: ReadonlySet<string> = new Set()

export const NO_SELECTION: Selection = { ids: NOTHING, isAll: false, exceptIds: NOTHING }

/** What the calls for many items take. */
export type SelectionInput =
  | { readonly itemIds: string[] }
  | { readonly allIn: { readonly folderId: string | null; readonly exceptIds?: string[] } }

/** A click: this item and nothing else. */
export function chooseItem(id: string): Selection {
  return { ...NO_SELECTION, ids: new Set([id]), anchorId: id }
}

/** Ctrl-click, check box, Space: this item more, or less. */
export function toggleItem(selection: Selection, id: string): Selection {
  if (selection.isAll) return { ...selection, exceptIds: toggled(selection.exceptIds, id), anchorId: id }
  return { ...selection, ids: toggled(selection.ids, id), anchorId: id }
}

/** Shift: what lies between the anchor and another item, both of them included, in place of what was selected. */
export function selectRange({ anchorId }: Selection, ids: Iterable<string>): Selection {
  const range = new Set(ids)
  const [first] = range
  return { ...NO_SELECTION, ids: range, anchorId: anchorId ?? first }
}

/** Ctrl+A. */
export function selectAll({ anchorId }: Selection): Selection {
  return { ...NO_SELECTION, isAll: true, anchorId }
}

/** A frame drawn with the mouse: what it holds, and with Ctrl also what had been selected when it was begun. */
export function selectInFrame(before: Selection, ids: Iterable<string>, isAdding: boolean): Selection {
  const framed = new Set(ids)
  if (!isAdding) return { ...NO_SELECTION, ids: framed, anchorId: before.anchorId }
  if (before.isAll) return { ...before, exceptIds: new Set([...before.exceptIds].filter((id) => !framed.has(id))) }
  return { ...before, ids: new Set([...before.ids, ...framed]) }
}

/** Without what is not in the list any more. The same selection when all of it still is. */
export function keepExisting(selection: Selection, exists: (id: string) => boolean): Selection {
  const ids = kept(selection.ids, exists)
  const exceptIds = kept(selection.exceptIds, exists)
  const anchorId = selection.anchorId !== undefined && exists(selection.anchorId) ? selection.anchorId : undefined
  if (ids === selection.ids && exceptIds === selection.exceptIds && anchorId === selection.anchorId) return selection
  return { ...selection, ids, exceptIds, anchorId }
}

export function isSelected({ ids, isAll, exceptIds }: Selection, id: string): boolean {
  return isAll ? !exceptIds.has(id) : ids.has(id)
}

/** How many are selected, in a list of so many. */
export function countSelected({ ids, isAll, exceptIds }: Selection, total: number): number {
  return isAll ? Math.max(0, total - exceptIds.size) : ids.size
}

/** The bytes of the selected files, as far as they are among the given items. Folders count for nothing. */
export function bytesSelected(items: Iterable<Item>): number {
  let bytes = 0
  for (const item of items) if (item.type === 'file') bytes += item.size
  return bytes
}

/** The selection as the calls for many items take it. `folderId` is the folder that is shown. */
export function toSelectionInput({ ids, isAll, exceptIds }: Selection, folderId: string | undefined): SelectionInput {
  if (!isAll) return { itemIds: [...ids] }
  return { allIn: { folderId: folderId ?? null, exceptIds: exceptIds.size > 0 ? [...exceptIds] : undefined } }
}

function toggled(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(ids)
  if (!next.delete(id)) next.add(id)
  return next
}

function kept(ids: ReadonlySet<string>, exists: (id: string) => boolean): ReadonlySet<string> {
  const next = new Set<string>()
  for (const id of ids) if (exists(id)) next.add(id)
  return next.size === ids.size ? ids : next
}
