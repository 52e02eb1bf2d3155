/** Folds search text and names for comparison. The server searches with it, and the web highlights with it. */

/** Letters that Unicode doesn't decompose, and the letters that people type for them. */
const plainLetters: Record<string, string> = {
  æ: 'ae',
  đ: 'd',
  ð: 'd',
  ı: 'i',
  ł: 'l',
  ø: 'o',
  œ: 'oe',
  ß: 'ss',
  ς: 'σ',
}

const ASCII = /^[\0-\x7f]*$/
const ACCENTS = /[\u0300-\u036f]/g

/**
 * Returns a text as searches compare it: without case, accents and compatibility forms, so that `resume` finds `Résumé.pdf`,
 * `strasse` finds `Straße` and `abc` finds `ａｂｃ`.
 */
export function foldForSearch(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  let folded = ''
  for (const character of text.normalize('NFC')) folded += foldCharacter(character)
  return folded
}

/**
 * Folds one character (code point) of a text in NFC, to zero or more characters. The result doesn't depend on the
 * neighbouring characters, so that a position in the folded text can be mapped to one in the original.
 */
export function foldCharacter(character: string): string {
  if (ASCII.test(character)) return character.toLowerCase()
  // Removed twice, because lower case can add an accent: İ becomes i with a dot.
  const plain = withoutAccents(withoutAccents(character).toLowerCase())
  return (plainLetters[plain] ?? plain).normalize('NFC')
}

function withoutAccents(text: string): string {
  return text.normalize('NFKD').replace(ACCENTS, '')
}
