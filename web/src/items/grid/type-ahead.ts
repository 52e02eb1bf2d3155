import type { Item } from '@alcove/contract/items'
import type { ItemList } from '../lists/item-lists.ts'

/** Letters that come within so many milliseconds belong to one name. */
export const TYPING_PAUSE = 700

/** How a name and what is typed are compared: without case and accents. */
function fold(text: string): string {
  const lower = text.toLowerCase()
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
  return /^[\u0000-\u007f]*$/.test(lower) ? lower : lower.normalize('NFKD').replace(/\p{M}/gu, '')
}

function isOneLetter(folded: string): boolean {
  return [...folded].every((letter) => letter === folded[0])
}

/**
 * The index of the next item whose name starts as typed, from `from` on and around the end, or -1. A single letter, or
 * the same one again and again, goes on to the next item; more letters may stay where they are.
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
 * The same in a list that may not have been loaded so far: then only what follows where `from` is can be told, and -1
 * means that the rest is needed.
 */
export function findInList({ items, ahead = [] }: ItemList, typed: string, from: number): number {
  if (from < items.length) return findTyped(items, typed, from)
  const batch = ahead.find(({ start, items }) => from >= start && from < start + items.length)
  if (!batch) return -1
  const rest = batch.items.slice(from - batch.start)
  const place = findTyped(rest, typed, 0)
  // Found around the end it is the one where the search began, and others may lie between.
  const isFound = place > 0 || (place === 0 && !isOneLetter(fold(typed)))
  return isFound ? from + place : -1
}

/** Whether a key that was pressed writes a letter. */
export function isLetter(key: string): boolean {
  return [...key].length === 1 && key.trim() !== ''
}
