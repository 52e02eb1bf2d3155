import { extensionOf } from '@alcove/contract/file-types'
import type { Item } from '@alcove/contract/items'

export const sortFields = ['name', 'size', 'updatedAt', 'type'] as const
export type SortField = (typeof sortFields)[number]

export interface Sort {
  readonly field: SortField
  readonly order: 'asc' | 'desc'
}

export const DEFAULT_SORT: Sort = { field: 'name', order: 'asc' }

/** Negative where the first of two items stands before the second. */
export type Compare = (a: Item, b: Item) => number

/** The order in which the server lists a folder, so that what comes in later gets its place without asking again. */
export function compareBy({ field, order }: Sort): Compare {
  const sign = order === 'asc' ? 1 : -1
  const compare = comparisons[field]
  return (a, b) => {
    if (a.type !== b.type) return a.type === 'folder' ? -1 : 1
    return sign * compare(a, b) || byName(a, b)
  }
}

/** The items in order. */
export function sortItems<T extends Item>(items: readonly T[], sort: Sort): T[] {
  return items.toSorted(compareBy(sort))
}

const comparisons: Record<SortField, Compare> = {
  name: byName,
  // Folders have no size: they keep the order of their names.
  size: (a, b) => sizeOf(a) - sizeOf(b),
  type: (a, b) => compareTexts(extensionOf(a.name), extensionOf(b.name)),
  updatedAt: (a, b) => compareTexts(a.updatedAt, b.updatedAt),
}

function byName(a: Item, b: Item): number {
  return compareTexts(keyOf(a), keyOf(b)) || compareTexts(a.id, b.id)
}

function sizeOf(item: Item): number {
  return item.type === 'file' ? item.size : 0
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

const keys = new WeakMap<Item, string>()

function keyOf(item: Item): string {
  let key = keys.get(item)
  if (key === undefined) {
    key = sortKey(item.name)
    keys.set(item, key)
  }
  return key
}

/** A name as it is sorted by: without accents and case, and each number led by its length, so that 9 precedes 10. */
function sortKey(name: string): string {
  const folded = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return folded.replace(/\d+/g, (digits) => {
    const number = digits.replace(/^0+(?=\d)/, '')
    return (number.length < 9 ? String(number.length) : `9${String(number.length).padStart(3, '0')}`) + number
  })
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
