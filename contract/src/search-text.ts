/** How search text and names are compared: the server finds with it, the web highlights with it. */

/** Letters whose accent is no mark of its own, and those that are typed as others. */
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
 * A text as searches compare it: without case, accents and compatibility forms, so that `resume` finds `Résumé.pdf`,
 * `strasse` finds `Straße` and `abc` finds `ａｂｃ`.
 */
export function foldForSearch(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  let folded = ''
  for (const character of text.normalize('NFC')) folded += foldCharacter(character)
  return folded
}

/**
 * One character (code point) of a text in NFC, folded: nothing, one or several characters. What stands around it does
 * not count, so that each part of a folded text has its place in the original.
 */
export function foldCharacter(character: string): string {
  if (ASCII.test(character)) return character.toLowerCase()
  // Twice, since lower case can bring forth what it was to take away: İ.
  const plain = withoutAccents(withoutAccents(character).toLowerCase())
  return (plainLetters[plain] ?? plain).normalize('NFC')
}

function withoutAccents(text: string): string {
  return text.normalize('NFKD').replace(ACCENTS, '')
}
