import { extensionOf } from '@alcove/contract/file-types'
import type { ItemRow } from '../../platform/db/tables.ts'

/** A name with all that is kept with it: to be set together, always. */
export type NameColumns = Pick<ItemRow, 'name' | 'name_key' | 'sort_key' | 'extension'>

export function nameColumns(name: string): NameColumns {
  const key = nameKey(name)
  return { name, name_key: key, sort_key: sortKey(name), extension: extensionOf(key) }
}

/** The form in which siblings' names are compared: two names with the same key cannot stand side by side. */
export function nameKey(name: string): string {
  return name.normalize('NFC').toLowerCase().normalize('NFC')
}

/**
 * A key that sorts names as people do, comparable byte by byte: without accents and case, and with each number led by
 * its length, so that `page 2` comes before `page 10`.
 */
export function sortKey(name: string): string {
  const folded = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return folded.replace(/\d+/g, (digits) => {
    const number = digits.replace(/^0+(?=\d)/, '')
    return lengthMark(number.length) + number
  })
}

/** Tells a number's length, and rises with it: one digit up to 8, above that a 9 and the length itself. */
function lengthMark(length: number): string {
  return length < 9 ? String(length) : `9${String(length).padStart(3, '0')}`
}

/** Longer than this it is no extension, but a name with a dot in it. */
const MAX_EXTENSION_BYTES = 64

/** A name in two parts, where the second is the extension with its dot, or empty: `.profile` has none. */
export function splitExtension(name: string): [base: string, extension: string] {
  const dot = name.lastIndexOf('.')
  if (dot <= 0 || Buffer.byteLength(name.slice(dot)) > MAX_EXTENSION_BYTES) return [name, '']
  return [name.slice(0, dot), name.slice(dot)]
}

/** The name that a second item of a name gets: `name (1).ext`. Long names give way so that 255 bytes hold it. */
export function numberedName(name: string, number: number): string {
  const [base, extension] = splitExtension(name)
  const suffix = ` (${number})`
  return truncateToBytes(base, 255 - Buffer.byteLength(suffix + extension)) + suffix + extension
}

function truncateToBytes(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text
  let kept = ''
  let bytes = 0
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    bytes += Buffer.byteLength(segment)
    if (bytes > maxBytes) break
    kept += segment
  }
  return kept.trimEnd()
}
