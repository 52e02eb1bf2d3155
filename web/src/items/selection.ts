import type { Item } from '@alcove/contract/items'

/** Which items of a list are selected. */
export interface Selection {
  /** The ids of the selected items; empty while `isAll`. */
  readonly ids: ReadonlySet<string>
  /** Where a range starts: the last item that was chosen or toggled. */
  readonly anchorId?: string
  /** Everything in the folder is selected, loaded or not, except `exceptIds`. */
  readonly isAll: boolean
  readonly exceptIds: ReadonlySet<string>
}

const NOTHING: ReadonlySet<string> = new Set()

export const NO_SELECTION: Selection = { ids: NOTHING, isAll: false, exceptIds: NOTHING }

/** The input of the calls for many items. */
export type SelectionInput =
  | { readonly itemIds: string[] }
  | { readonly allIn: { readonly folderId: string | null; readonly exceptIds?: string[] } }

/** Click: selects only this item. */
export function chooseItem(id: string): Selection {
  return { ...NO_SELECTION, ids: new Set([id]), anchorId: id }
}

/** Ctrl-click, check box, Space: adds this item or removes it. */
export function toggleItem(selection: Selection, id: string): Selection {
  if (selection.isAll) return { ...selection, exceptIds: toggled(selection.exceptIds, id), anchorId: id }
  return { ...selection, ids: toggled(selection.ids, id), anchorId: id }
}

/** Shift: selects only the items of a range. The anchor stays. */
export function selectRange({ anchorId }: Selection, ids: Iterable<string>): Selection {
  const range = new Set(ids)
  const [first] = range
  return { ...NO_SELECTION, ids: range, anchorId: anchorId ?? first }
}

/** Ctrl+A: selects everything. */
export function selectAll({ anchorId }: Selection): Selection {
  return { ...NO_SELECTION, isAll: true, anchorId }
}

/** Marquee: selects the items in the frame, with Ctrl in addition to what was selected before. */
export function selectInFrame(before: Selection, ids: Iterable<string>, isAdding: boolean): Selection {
  const framed = new Set(ids)
  if (!isAdding) return { ...NO_SELECTION, ids: framed, anchorId: before.anchorId }
  if (before.isAll) return { ...before, exceptIds: new Set([...before.exceptIds].filter((id) => !framed.has(id))) }
  return { ...before, ids: new Set([...before.ids, ...framed]) }
}

/** Removes items that the list no longer has. Returns the same object if none is gone. */
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

/** Counts the selected items of a list with `total` items. */
export function countSelected({ ids, isAll, exceptIds }: Selection, total: number): number {
  return isAll ? Math.max(0, total - exceptIds.size) : ids.size
}

/** Adds up the sizes of the files among the items. Folders count as 0. */
export function bytesSelected(items: Iterable<Item>): number {
  let bytes = 0
  for (const item of items) if (item.type === 'file') bytes += item.size
  return bytes
}

/** Converts a selection into the input of the calls for many items. `folderId` is the folder that is shown. */
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
