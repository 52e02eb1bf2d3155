/** Mark the two ends of a name: no name has control characters. */
const START = '\u0001'
const END = '\u0002'

/** So many grams of a long text are looked up: enough to leave few names that do not have all of it. */
const MAX_LOOKED_UP = 5

/**
 * All that a folded name can be found by: its runs of one, two and three characters, where its ends count as characters
 * too. Each once.
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

/** The grams that a name must have to contain a text, and besides to begin and to end with it. */
export interface WantedNgrams {
  readonly inside: readonly string[]
  readonly start: string
  readonly end: string
}

/** What to look up for a folded text that is not empty. */
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
