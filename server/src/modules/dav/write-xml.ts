import { escapeXml } from '../../platform/http/escape-xml.ts'

/** The type of every XML body. Some clients don't understand `text/xml`, and ownCloud's no quoted charset. */
export const XML_TYPE = 'application/xml; charset=utf-8'

/** The name of an element: a namespace, empty for none, and a local name. */
export interface XmlName {
  readonly namespace: string
  readonly local: string
}

export const DAV = 'DAV:'
export const OWNCLOUD = 'http://owncloud.org/ns'
export const NEXTCLOUD = 'http://nextcloud.org/ns'
export const WINDOWS = 'urn:schemas-microsoft-com:'

/** The prefixes that every multistatus response declares. */
const prefixes: Readonly<Record<string, string>> = { [DAV]: 'D', [OWNCLOUD]: 'oc', [NEXTCLOUD]: 'nc' }
export const declarations = Object.entries(prefixes)
  .map(([namespace, prefix]) => `xmlns:${prefix}="${namespace}"`)
  .join(' ')

/** Writes an element whose content is XML already. */
export function writeElement(name: XmlName, content: string, attributes = ''): string {
  const { start, end, empty } = tagsOf(name, attributes)
  return content === '' ? empty : start + content + end
}

/** Returns the tags of an element. Names in other namespaces declare theirs. */
export function tagsOf({ namespace, local }: XmlName, attributes = ''): Record<'start' | 'end' | 'empty', string> {
  const prefix = prefixes[namespace]
  const tag = prefix === undefined ? local : `${prefix}:${local}`
  const own = prefix === undefined ? ` xmlns="${escapeXml(namespace)}"` : ''
  return { start: `<${tag}${own}${attributes}>`, end: `</${tag}>`, empty: `<${tag}${own}${attributes}/>` }
}

/** Returns a key by which names can be compared. */
export function nameKey({ namespace, local }: XmlName): string {
  return `{${namespace}}${local}`
}
