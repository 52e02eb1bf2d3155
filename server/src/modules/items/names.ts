import { extensionOf } from '@alcove/contract/file-types'
import type { ItemRow } from '../../platform/db/tables.ts'

/** A name and the columns derived from it. Always set them together. */
export type NameColumns = Pick<ItemRow, 'name' | 'sort_key' | 'extension'>

export function nameColumns(name: string): NameColumns {
  return { name, sort_key: sortKey(name), extension: extensionOf(name) }
}

/**
 * Returns a key that sorts names in natural order when compared byte by byte: without accents and case, and with each
 * number prefixed by its length, so that `page 2` sorts before `page 10`.
 */
export function sortKey(name: string): string {
  const folded = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return folded.replace(/\d+/g, (digits) => {
    const number = digits.replace(/^0+(?=\d)/, '')
    return lengthMark(number.length) + number
  })
}

/** Encodes a number's length so that it sorts by length: one digit up to 8; above that, a 9 and then the length. */
function lengthMark(length: number): string {
  return length < 9 ? String(length) : `9${String(length).padStart(3, '0')}`
}

/** A longer suffix is not an extension, but part of a name with a dot. */
const MAX_EXTENSION_BYTES = 64

/**
 * Splits a name into its base and its extension with the dot. The extension is empty if there is none, as in
 * `.profile`.
 */
export function splitExtension(name: string): [base: string, extension: string] {
  const dot = name.lastIndexOf('.')
  if (dot <= 0 || Buffer.byteLength(name.slice(dot)) > MAX_EXTENSION_BYTES) return [name, '']
  return [name.slice(0, dot), name.slice(dot)]
}

/** Returns the numbered form of a name, `name (1).ext`. Shortens long names to fit 255 bytes. */
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
