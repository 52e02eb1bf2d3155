/** So many characters are shown of a title, artist or album. */
const MAX_TEXT = 300
/** A year: longer is a mistake. */
const MAX_DURATION = 366 * 86_400

/** What does not show, or turns the direction of what follows. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]+/g

/** A text from a file, as one line of bounded length; null where nothing is left. */
export function tidyText(text: unknown): string | null {
  if (typeof text !== 'string') return null
  const line = text
    .slice(0, 8 * MAX_TEXT)
    .toWellFormed()
    .replace(UNSEEN, ' ')
    .trim()
  return line === '' ? null : [...line].slice(0, MAX_TEXT).join('')
}

/** Seconds, to the thousandth; null where that makes no sense. */
export function readDuration(seconds: unknown): number | null {
  const duration = Number(seconds)
  return duration > 0 && duration <= MAX_DURATION ? Math.round(duration * 1000) / 1000 : null
}
