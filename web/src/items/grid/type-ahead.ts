import type { Item } from '@alcove/contract/items'
import type { ItemList } from '../lists/item-lists.ts'

/** Letters that are typed within this time belong to one name. In milliseconds. */
export const TYPING_PAUSE = 700

/** Removes case and accents, which are ignored when names are compared with typed letters. */
function fold(text: string): string {
  const lower = text.toLowerCase()
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
  return /^[\u0000-\u007f]*$/.test(lower) ? lower : lower.normalize('NFKD').replace(/\p{M}/gu, '')
}

function isOneLetter(folded: string): boolean {
  return [...folded].every((letter) => letter === folded[0])
}

/**
 * Returns the index of the next item whose name starts with `typed`, from `from` on and then from the beginning, or -1. A
 * single letter, or the same one repeated, moves on to the next item; other text may match the item at `from`.
 */
export function findTyped(items: readonly Item[], typed: string, from: number): number {
  const wanted = fold(typed)
  const isOne = isOneLetter(wanted)
  const prefix = isOne ? wanted.slice(0, 1) : wanted
  const start = isOne ? from + 1 : from
  for (let step = 0; step < items.length; step++) {
    const index = (start + step) % items.length
    if (fold(items[index]?.name.slice(0, prefix.length * 2) ?? '').startsWith(prefix)) return index
  }
  return -1
}

/**
 * Does the same in a list that may not have loaded up to `from`. Then it searches only the batch around `from`, and -1
 * means that the other items are needed.
 */
export function findInList({ items, ahead = [] }: ItemList, typed: string, from: number): number {
  if (from < items.length) return findTyped(items, typed, from)
  const batch = ahead.find(({ start, items }) => from >= start && from < start + items.length)
  if (!batch) return -1
  const rest = batch.items.slice(from - batch.start)
  const place = findTyped(rest, typed, 0)
  // A match at 0 for a single letter is the item at `from` itself, found after the end; others may come before it.
  const isFound = place > 0 || (place === 0 && !isOneLetter(fold(typed)))
  return isFound ? from + place : -1
}

/** Returns whether a key writes a character. */
export function isLetter(key: string): boolean {
  return [...key].length === 1 && key.trim() !== ''
}
