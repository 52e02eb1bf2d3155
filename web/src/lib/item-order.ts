import { extensionOf } from '@alcove/contract/file-types'
import type { File, Folder } from '@alcove/contract/items'

export const sortFields = ['name', 'size', 'updatedAt', 'type'] as const
export type SortField = (typeof sortFields)[number]

export interface Sort {
  readonly field: SortField
  readonly order: 'asc' | 'desc'
}

export const DEFAULT_SORT: Sort = { field: 'name', order: 'asc' }

/** `photo 9` before `photo 10`, and letters of either case and with any accent side by side. */
const natural = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

function compareNames(a: { name: string }, b: { name: string }): number {
  return natural.compare(a.name, b.name) || (a.name < b.name ? -1 : 1)
}

const comparisons: Record<SortField, (a: File, b: File) => number> = {
  name: () => 0,
  size: (a, b) => a.size - b.size,
  updatedAt: byTime,
  type: (a, b) => natural.compare(extensionOf(a.name), extensionOf(b.name)),
}

/** Files in the given order; those that are equal in it come by name. */
export function sortFiles(files: readonly File[], { field, order }: Sort): File[] {
  const compare = comparisons[field]
  return inOrder(files, field === 'name' ? compareNames : compare, order)
}

/** Folders in the given order; they have neither size nor type and come by name then. */
export function sortFolders(folders: readonly Folder[], { field, order }: Sort): Folder[] {
  if (field === 'updatedAt') return inOrder(folders, byTime, order)
  return inOrder(folders, compareNames, field === 'name' ? order : 'asc')
}

function byTime(a: { updatedAt: string }, b: { updatedAt: string }): number {
  return a.updatedAt < b.updatedAt ? -1 : a.updatedAt > b.updatedAt ? 1 : 0
}

function inOrder<T extends { name: string }>(
  items: readonly T[],
  compare: (a: T, b: T) => number,
  order: Sort['order'],
) {
  const sign = order === 'asc' ? 1 : -1
  return items.toSorted((a, b) => sign * compare(a, b) || compareNames(a, b))
}

/** A sort as the browser remembers it: `size-desc`. */
export function readSort(text: string | undefined): Sort {
  const [field, order] = text?.split('-') ?? []
  const known = sortFields.find((name) => name === field)
  return known && (order === 'asc' || order === 'desc') ? { field: known, order } : DEFAULT_SORT
}

export function writeSort({ field, order }: Sort): string {
  return `${field}-${order}`
}
