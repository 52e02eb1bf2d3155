import { escapeXml } from '../../platform/http/escape-xml.ts'
import type { ItemProperty } from '../items/index.ts'
import { type LiveProperties, listLiveNames, type Writing } from './live-properties.ts'
import type { Needs, Resource } from './resource.ts'
import { declarations, nameKey, tagsOf, writeElement, type XmlName } from './write-xml.ts'

export const MULTISTATUS_START = `<?xml version="1.0" encoding="utf-8"?>\n<D:multistatus ${declarations}>`
export const MULTISTATUS_END = '</D:multistatus>\n'

/** Which properties a client wants to see. */
export type Wanted =
  | { readonly kind: 'prop'; readonly names: readonly XmlName[] }
  /** All properties that cost little, and those in `names`. */
  | { readonly kind: 'allprop'; readonly names: readonly XmlName[] }
  | { readonly kind: 'propname' }

/** Returns what has to be read for these properties. */
export function needsOf(wanted: Wanted, properties: LiveProperties): Needs {
  const nothing = { locks: false, account: false, checksums: false, stored: false, numbers: false, sizes: false }
  if (wanted.kind === 'propname') return { ...nothing, stored: true }
  const named = wanted.names.map((name) => properties.get(nameKey(name)))
  const isAll = wanted.kind === 'allprop'
  const shown = isAll ? [...named, ...[...properties.values()].filter(({ isInAll }) => isInAll)] : named
  const needs = new Set(shown.map((property) => property?.need))
  return {
    locks: needs.has('locks'),
    account: needs.has('account'),
    checksums: needs.has('checksums'),
    numbers: needs.has('numbers'),
    sizes: needs.has('sizes'),
    stored: isAll || named.includes(undefined),
  }
}

/** Creates a function that writes the `response` element of a resource. */
export function responseWriter(wanted: Wanted, writing: Writing): (resource: Resource) => string {
  const write = propertyWriter(wanted, writing)
  return (resource) => {
    const { found, missing } = write(resource)
    const statuses = (found || !missing ? propstat(found, 200) : '') + (missing && propstat(missing, 404))
    return writeResponse(resource.href, statuses)
  }
}

export function writeResponse(href: string, content: string): string {
  return `<D:response><D:href>${href}</D:href>${content}</D:response>`
}

const phrases: Record<number, string> = {
  200: 'OK',
  403: 'Forbidden',
  404: 'Not Found',
  409: 'Conflict',
  413: 'Content Too Large',
  423: 'Locked',
  424: 'Failed Dependency',
  507: 'Insufficient Storage',
}

export function propstat(properties: string, status: number, error = ''): string {
  return `<D:propstat><D:prop>${properties}</D:prop><D:status>HTTP/1.1 ${status} ${phrases[status]}</D:status>${error}</D:propstat>`
}

type Written = { found: string; missing: string }

/** What doesn't depend on the resource is done once for a whole list. */
function propertyWriter(wanted: Wanted, writing: Writing): (resource: Resource) => Written {
  const { properties } = writing
  if (wanted.kind === 'propname') return (resource) => writeNames(resource, properties)
  const keys = new Set<string>()
  const names = wanted.names.filter((name) => {
    const isNew = !keys.has(nameKey(name))
    keys.add(nameKey(name))
    return isNew
  })
  const inAll = listLiveNames(properties).filter(
    (name) => properties.get(nameKey(name))?.isInAll && !keys.has(nameKey(name)),
  )
  const isAll = wanted.kind === 'allprop'
  const live = [...(isAll ? inAll : []), ...names].map((name) => ({
    key: nameKey(name),
    property: properties.get(nameKey(name)),
    isNamed: keys.has(nameKey(name)),
    ...tagsOf(name),
  }))
  return (resource) => {
    let found = ''
    let missing = ''
    for (const one of live) {
      const value = one.property?.write(resource, writing)
      if (value !== undefined) found += value === '' ? one.empty : one.start + value + one.end
      else {
        const stored = resource.stored.find((each) => nameKey(toName(each)) === one.key)
        if (stored) found += writeStored(stored)
        else if (one.isNamed) missing += one.empty
      }
    }
    if (isAll) for (const each of resource.stored) if (!keys.has(nameKey(toName(each)))) found += writeStored(each)
    return { found, missing }
  }
}

function writeNames(resource: Resource, properties: LiveProperties): Written {
  const isShown = ({ local }: XmlName) => resource.row.kind === 'folder' || !local.startsWith('quota-')
  const isOfFile = ({ local }: XmlName) => resource.row.kind === 'file' || !/^(get(content|etag)|checksums)/.test(local)
  const live = listLiveNames(properties).filter((name) => isShown(name) && isOfFile(name))
  const names = [...live, ...resource.stored.map(toName)]
  return { found: names.map((name) => writeElement(name, '')).join(''), missing: '' }
}

function toName({ namespace, name }: ItemProperty): XmlName {
  return { namespace, local: name }
}

/** Writes a property that a client has stored. Its value is XML that means the same anywhere. */
function writeStored(property: ItemProperty): string {
  const language = property.language === null ? '' : ` xml:lang="${escapeXml(property.language)}"`
  return writeElement(toName(property), property.value, language)
}
