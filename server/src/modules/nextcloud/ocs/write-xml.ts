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

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  // A parser would turn it into a line feed.
  '\r': '&#13;',
}

/** What XML 1.0 can't contain, not even escaped: most control characters, lone surrogates and two noncharacters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff\p{Cs}]/gu

/** Escapes a text for the content of an element. Characters that XML can't contain become U+FFFD. */
function escapeXml(text: string): string {
  return text.replace(FORBIDDEN, '\ufffd').replace(/[&<>"'\r]/g, (sign) => entities[sign] as string)
}
