import { extensionOf } from '@alcove/contract/file-types'
import type { Item } from '@alcove/contract/items'
import { modifiedOf } from './describe-item.ts'

export const sortFields = ['name', 'size', 'modifiedAt', 'type'] as const
export type SortField = (typeof sortFields)[number]

export interface Sort {
  readonly field: SortField
  readonly order: 'asc' | 'desc'
}

export const DEFAULT_SORT: Sort = { field: 'name', order: 'asc' }

/** Returns a negative number if the first item comes before the second. */
export type Compare = (a: Item, b: Item) => number

/** Compares items in the order in which the server lists a folder, so that a new item gets its place without a request. */
export function compareBy({ field, order }: Sort): Compare {
  const sign = order === 'asc' ? 1 : -1
  const compare = comparisons[field]
  return (a, b) => {
    if (a.type !== b.type) return a.type === 'folder' ? -1 : 1
    return sign * compare(a, b) || byName(a, b)
  }
}

/** Returns sorted items. */
export function sortItems<T extends Item>(items: readonly T[], sort: Sort): T[] {
  return items.toSorted(compareBy(sort))
}

const comparisons: Record<SortField, Compare> = {
  name: byName,
  // Folders have no size, so they are sorted by name.
  size: (a, b) => sizeOf(a) - sizeOf(b),
  type: (a, b) => compareTexts(extensionOf(a.name), extensionOf(b.name)),
  modifiedAt: (a, b) => compareTexts(modifiedOf(a), modifiedOf(b)),
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

/** Returns the sort key of a name: without accents and case, each number prefixed by its length, so that 9 precedes 10. */
function sortKey(name: string): string {
  const folded = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return folded.replace(/\d+/g, (digits) => {
    const number = digits.replace(/^0+(?=\d)/, '')
    return (number.length < 9 ? String(number.length) : `9${String(number.length).padStart(3, '0')}`) + number
  })
}

/** Parses an order as the session stores it: `size-desc`. Until files had dates of their own, they were sorted by `updatedAt`. */
export function readSort(text: string | undefined): Sort {
  const [name, order] = text?.split('-') ?? []
  const field = name === 'updatedAt' ? 'modifiedAt' : name
  const known = sortFields.find((one) => one === field)
  return known && (order === 'asc' || order === 'desc') ? { field: known, order } : DEFAULT_SORT
}

export function writeSort({ field, order }: Sort): string {
  return `${field}-${order}`
}
