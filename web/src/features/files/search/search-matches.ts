import { foldCharacter, foldForSearch } from '@alcove/contract/search-text'

/** A piece of a text, and whether it matches the query. */
export interface TextPiece {
  readonly text: string
  readonly isMatch: boolean
}

/** Splits a text into matching and other pieces. Never splits a character. */
export function splitAtMatches(text: string, query: string): TextPiece[] {
  const wanted = foldForSearch(query.trim())
  const original = text.normalize('NFC')
  const { folded, starts, ends } = foldWithPlaces(original)
  const pieces: TextPiece[] = []
  let done = 0
  const add = (end: number, isMatch: boolean) => {
    if (end > done) pieces.push({ text: original.slice(done, end), isMatch })
    done = Math.max(done, end)
  }
  for (let at = wanted ? folded.indexOf(wanted) : -1; at !== -1; at = folded.indexOf(wanted, at + wanted.length)) {
    add(starts[at] as number, false)
    add(ends[at + wanted.length - 1] as number, true)
  }
  add(original.length, false)
  return pieces
}

/** Returns the folded text, and for each of its characters where the original character starts and ends. */
function foldWithPlaces(original: string): { folded: string; starts: number[]; ends: number[] } {
  let folded = ''
  let place = 0
  const starts: number[] = []
  const ends: number[] = []
  for (const character of original) {
    const part = foldCharacter(character)
    const end = place + character.length
    for (let at = 0; at < part.length; at += 1) {
      starts.push(place)
      ends.push(end)
    }
    // A combining accent belongs to the character before it.
    if (part === '' && ends.length > 0) ends[ends.length - 1] = end
    folded += part
    place = end
  }
  return { folded, starts, ends }
}
