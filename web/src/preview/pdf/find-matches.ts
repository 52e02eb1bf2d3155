/** A place in a text: from `start` up to, not including, `end`. */
export interface Match {
  readonly start: number
  readonly end: number
}

/** Where a text has what is searched for, whatever the case, the accents and the kind of blanks. */
export function findMatches(text: string, query: string, max = Number.POSITIVE_INFINITY): Match[] {
  const words = query.trim().split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  const pattern = new RegExp(words.map((word) => escapeSigns(fold(word))).join('\\s+'), 'g')
  const matches: Match[] = []
  for (const { 0: found, index } of fold(text).matchAll(pattern)) {
    if (matches.length >= max) break
    matches.push({ start: index, end: index + found.length })
  }
  return matches
}

/** Lower case without accents, and just as long, so that places stay what they are. */
function fold(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all that is not ASCII
  const plain = text.replace(/[^\x00-\x7f]/g, (sign) => {
    const base = (sign.normalize('NFD')[0] ?? sign).toLowerCase()
    return base.length === 1 ? base : sign
  })
  return plain.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

function escapeSigns(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
