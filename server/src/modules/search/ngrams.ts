/** Marks the start and the end of a name. Names contain no control characters. */
const START = '\u0001'
const END = '\u0002'

/** N-grams of a long text that are looked up: enough to leave few false matches. */
const MAX_LOOKED_UP = 5

/**
 * Returns the distinct n-grams of a folded name: its runs of one, two and three characters, including the marks of its
 * ends.
 */
export function ngramsOfName(folded: string): Set<string> {
  const characters = [START, ...folded, END]
  const ngrams = new Set<string>()
  for (let at = 0; at < characters.length; at += 1) {
    let ngram = characters[at] as string
    if (ngram !== START && ngram !== END) ngrams.add(ngram)
    for (let length = 2; length <= 3 && at + length <= characters.length; length += 1) {
      ngram += characters[at + length - 1]
      ngrams.add(ngram)
    }
  }
  return ngrams
}

/** The n-grams that a name must have to contain a text, to begin with it and to end with it. */
export interface WantedNgrams {
  readonly inside: readonly string[]
  readonly start: string
  readonly end: string
}

/** Returns the n-grams to look up for a folded, non-empty text. */
export function ngramsOfText(folded: string): WantedNgrams {
  const characters = [...folded]
  const start = START + characters.slice(0, 2).join('')
  if (characters.length === 1) return { inside: [folded], start, end: start + END }
  return { inside: innerNgrams(characters), start, end: characters.slice(-2).join('') + END }
}

function innerNgrams(characters: readonly string[]): string[] {
  if (characters.length === 2) return [characters.join('')]
  const all = characters.slice(2).map((_third, at) => characters.slice(at, at + 3).join(''))
  const distinct = [...new Set(all)]
  if (distinct.length <= MAX_LOOKED_UP) return distinct
  const step = (distinct.length - 1) / (MAX_LOOKED_UP - 1)
  return Array.from({ length: MAX_LOOKED_UP }, (_unused, index) => distinct[Math.round(index * step)] as string)
}
