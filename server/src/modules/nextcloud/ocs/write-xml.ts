import { escapeXml } from '../../../platform/http/escape-xml.ts'

/** What a response of OCS is made of. */
export type OcsValue = string | number | boolean | null | readonly OcsValue[] | { readonly [name: string]: OcsValue }

/**
 * Writes an element as XML 1.0, in the way of Nextcloud: the elements of a list are called `element`, and of the booleans only true
 * has a content. `name` and the keys must be names of elements.
 */
export function writeXml(name: string, value: OcsValue): string {
  return `<?xml version="1.0"?>\n${writeElement(name, value)}\n`
}

function writeElement(name: string, value: OcsValue): string {
  return `<${name}>${writeContent(value)}</${name}>`
}

function writeContent(value: OcsValue): string {
  if (value === null || value === false) return ''
  if (value === true) return '1'
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') return escapeXml(value)
  if (isList(value)) return value.map((each) => writeElement('element', each)).join('')
  return Object.entries(value)
    .map(([key, each]) => writeElement(key, each))
    .join('')
}

/** `Array.isArray` doesn't narrow readonly arrays. */
function isList(value: OcsValue): value is readonly OcsValue[] {
  return Array.isArray(value)
}
