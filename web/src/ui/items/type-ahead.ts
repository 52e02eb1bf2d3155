import type { Item } from '@alcove/contract/items'

/** Letters that come within so many milliseconds belong to one name. */
export const TYPING_PAUSE = 700

/** How a name and what is typed are compared: without case and accents. */
function fold(text: string): string {
  const lower = text.toLowerCase()
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
  return /^[\u0000-\u007f]*$/.test(lower) ? lower : lower.normalize('NFKD').replace(/\p{M}/gu, '')
}

/**
 * The index of the next item whose name starts as typed, from `from` on and around the end, or -1. A single letter, or
 * the same one again and again, goes on to the next item; more letters may stay where they are.
 */
export function findTyped(items: readonly Item[], typed: string, from: number): number {
  const wanted = fold(typed)
  const isOneLetter = [...wanted].every((letter) => letter === wanted[0])
  const prefix = isOneLetter ? wanted.slice(0, 1) : wanted
  const start = isOneLetter ? from + 1 : from
  for (let step = 0; step < items.length; step++) {
    const index = (start + step) % items.length
    if (fold(items[index]?.name.slice(0, prefix.length * 2) ?? '').startsWith(prefix)) return index
  }
  return -1
}

/** Whether a key that was pressed writes a letter. */
export function isLetter(key: string): boolean {
  return [...key].length === 1 && key.trim() !== ''
}
