import { MAX_NAME_BYTES } from './limits.ts'

/** The rules for names without a schema, because forms need nothing else. */

export const FOLDER_NAME_EMPTY = 'Folder name cannot be empty.'
export const FILE_NAME_EMPTY = 'File name cannot be empty.'

// biome-ignore lint/suspicious/noControlCharactersInRegex: names must not contain control characters
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f-\u009f]/

/**
 * Returns what is wrong with a name, or undefined. A name has 1 to 255 bytes in UTF-8, no `/` and no control
 * character. Apart from blanks at its ends, it is not empty, `.` or `..`: a program that drops these blanks would take
 * it for a folder. Expects the name normalised by `normalizeName`.
 */
export function findNameProblem(name: string, emptyMessage: string): string | undefined {
  const visible = name.trim()
  if (visible === '') return emptyMessage
  if (visible === '.' || visible === '..') return 'A name cannot be "." or "..".'
  if (name.includes('/')) return 'A name cannot contain "/".'
  if (CONTROL_CHARACTERS.test(name) || !name.isWellFormed()) return 'A name cannot contain control characters.'
  // A UTF-16 unit takes at most three bytes, so most names needn't be encoded.
  if (name.length * 3 > MAX_NAME_BYTES && new TextEncoder().encode(name).length > MAX_NAME_BYTES)
    return `A name can have at most ${MAX_NAME_BYTES} bytes; this one is longer.`
  return undefined
}

/** Returns a name as it is stored: in Unicode NFC, and otherwise exactly as given. */
export function normalizeName(name: string): string {
  return name.normalize('NFC')
}

/** Returns the name that a person typed into a form, without blanks at either end. Names from elsewhere are kept exactly. */
export function normalizeTypedName(typed: string): string {
  return normalizeName(typed).trim()
}

/** Returns a name without differences of case. Siblings can have the same result; Windows and macOS couldn't store both. */
export function foldCase(name: string): string {
  return name.toLowerCase().normalize('NFC')
}

/**
 * Returns whether a file has a name under which macOS stores metadata on network drives: `._name` beside each file (AppleDouble),
 * or `.DS_Store`. Such files are not searched, previewed or played, and have no earlier versions.
 */
export function isMacMetadata(filename: string): boolean {
  return filename.startsWith('._') || filename === '.DS_Store'
}
