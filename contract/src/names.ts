import { MAX_NAME_BYTES } from './limits.ts'

/** The rules for names without a schema, because forms need nothing else. */

export const FOLDER_NAME_EMPTY = 'Folder name cannot be empty.'
export const FILE_NAME_EMPTY = 'File name cannot be empty.'

// biome-ignore lint/suspicious/noControlCharactersInRegex: names must not contain control characters
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f-\u009f]/

/**
 * Returns what is wrong with a name, or undefined. A name has 1 to 255 bytes in UTF-8, no `/` and no control
 * character, and is not `.` or `..`. Expects the name normalised by `normalizeName`.
 */
export function findNameProblem(name: string, emptyMessage: string): string | undefined {
  if (name === '') return emptyMessage
  if (name === '.' || name === '..') return 'A name cannot be "." or "..".'
  if (name.includes('/')) return 'A name cannot contain "/".'
  if (CONTROL_CHARACTERS.test(name) || !name.isWellFormed()) return 'A name cannot contain control characters.'
  if (new TextEncoder().encode(name).length > MAX_NAME_BYTES)
    return `A name can have at most ${MAX_NAME_BYTES} bytes; this one is longer.`
  return undefined
}

/** Returns a name as it is stored: in Unicode NFC, without blanks at either end. */
export function normalizeName(name: string): string {
  return name.normalize('NFC').trim()
}
