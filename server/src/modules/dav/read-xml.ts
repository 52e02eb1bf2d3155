import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SaxesTagNS } from 'saxes'
import { escapeXml } from '../../platform/http/escape-xml.ts'
import { abortWhenIdle, bodiesInFlight } from '../../platform/http/request-bodies.ts'
import { DavError } from './dav-error.ts'
import { continueRequest } from './expect-continue.ts'
import { DAV, type XmlName } from './write-xml.ts'

const MAX_BYTES = 1024 * 1024
const MAX_DEPTH = 64
/** Elements and attributes together. */
const MAX_NODES = 20_000

/** An element of a request's body. */
export interface XmlElement extends XmlName {
  /** With its prefix, as it was written. */
  readonly name: string
  readonly attributes: readonly { readonly name: string; readonly value: string }[]
  readonly content: (XmlElement | string)[]
  /** The namespaces that are in scope, by prefix. */
  readonly scope: Readonly<Record<string, string>>
  /** The language of its text (`xml:lang`), its own or inherited. */
  readonly language: string | undefined
}

interface WithBody {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** Reads the XML body of a request. Returns undefined if there is none. Throws 400, 413 or 415. */
export async function readXml(dav: WithBody): Promise<XmlElement | undefined> {
  const bytes = await readBody(dav)
  return bytes.length === 0 ? undefined : parseXml(decode(bytes))
}

/** Reads the body of a request that must not be large. */
export async function readBody({ request, reply }: WithBody): Promise<Buffer> {
  const { raw, headers } = request
  if (Number(headers['content-length'] ?? 0) > MAX_BYTES) throw tooLarge()
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return Buffer.alloc(0)
  bodiesInFlight.take(request, reply, MAX_BYTES)
  continueRequest(request)
  abortWhenIdle(raw)
  const parts: Buffer[] = []
  let size = 0
  return new Promise((resolve, reject) => {
    raw.on('data', (part: Buffer) => {
      size += part.length
      if (size > MAX_BYTES) {
        raw.removeAllListeners('data')
        reject(tooLarge())
      } else parts.push(part)
    })
    raw.once('end', () => resolve(Buffer.concat(parts)))
    raw.once('error', () => reject(malformed('The body did not arrive completely.')))
    raw.once('close', () => reject(malformed('The body did not arrive completely.')))
  })
}

function tooLarge(): DavError {
  return new DavError(413, 'The body of this request is too large. It can have at most 1 MiB.')
}

function malformed(message: string): DavError {
  return new DavError(400, message)
}

/** Decodes UTF-8, or UTF-16 with a byte order mark, as RFC 4918 requires (section 8.2). */
function decode(bytes: Buffer): string {
  const mark = bytes.subarray(0, 2).toString('hex')
  const encoding = mark === 'fffe' ? 'utf-16le' : mark === 'feff' ? 'utf-16be' : 'utf-8'
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    throw malformed('The body of this request is not valid UTF-8.')
  }
}

/** Parses a document. Throws 400 if it isn't well-formed, has a document type or is unreasonably complex. */
async function parseXml(text: string): Promise<XmlElement> {
  // Most servers have no client that sends XML.
  const { SaxesParser } = await import('saxes')
  const parser = new SaxesParser({ xmlns: true, position: false })
  // No names that every object has.
  parser.ENTITIES = Object.assign(Object.create(null), { amp: '&', gt: '>', lt: '<', quot: '"', apos: "'" })
  const open: XmlElement[] = []
  let root: XmlElement | undefined
  let nodes = 0
  const addText = (part: string) => {
    open.at(-1)?.content.push(part)
  }
  parser.on('error', () => {
    throw malformed('The body of this request is not well-formed XML.')
  })
  parser.on('doctype', () => {
    throw malformed('The XML of this request must not have a document type.')
  })
  parser.on('attribute', () => {
    nodes += 1
    if (nodes > MAX_NODES) throw malformed('The XML of this request has too many elements.')
  })
  parser.on('opentag', (tag) => {
    nodes += 1
    if (nodes > MAX_NODES) throw malformed('The XML of this request has too many elements.')
    if (open.length >= MAX_DEPTH) throw malformed('The XML of this request is nested too deeply.')
    const element = toElement(tag, open.at(-1))
    open.at(-1)?.content.push(element)
    root ??= element
    open.push(element)
  })
  parser.on('closetag', () => {
    open.pop()
  })
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.write(text).close()
  if (!root) throw malformed('The body of this request is not well-formed XML.')
  return root
}

function toElement(tag: SaxesTagNS, parent: XmlElement | undefined): XmlElement {
  const attributes = Object.values(tag.attributes)
  const declared = Object.entries(tag.ns)
  return {
    namespace: tag.uri,
    local: tag.local,
    name: tag.name,
    attributes: attributes
      .filter(({ name }) => name !== 'xmlns' && !name.startsWith('xmlns:'))
      .map(({ name, value }) => ({ name, value })),
    content: [],
    scope: declared.length === 0 && parent ? parent.scope : { ...parent?.scope, ...Object.fromEntries(declared) },
    language: attributes.find(({ name }) => name === 'xml:lang')?.value ?? parent?.language,
  }
}

/** Returns the elements directly in an element. */
export function childrenOf(element: XmlElement): XmlElement[] {
  return element.content.filter((child) => typeof child !== 'string')
}

/** Returns the first child with a name of RFC 4918. */
export function findChild(element: XmlElement, local: string): XmlElement | undefined {
  return childrenOf(element).find((child) => isDav(child, local))
}

export function isDav({ namespace, local }: XmlName, expected: string): boolean {
  return namespace === DAV && local === expected
}

/** Returns the text directly in an element. */
export function textOf(element: XmlElement): string {
  return element.content.filter((child) => typeof child === 'string').join('')
}

/** Writes the content of an element so that it means the same anywhere: with all prefixes that it may use. */
export function writeContent({ content }: XmlElement): string {
  return content.map((child) => (typeof child === 'string' ? escapeXml(child) : writeWhole(child, undefined))).join('')
}

function writeWhole(element: XmlElement, around: XmlElement | undefined): string {
  const { name, scope, attributes, content } = element
  const outside: Readonly<Record<string, string>> = around?.scope ?? {}
  // A default namespace of the place where it is written must not apply.
  const inScope = { ...(around ? undefined : { '': '' }), ...scope }
  const declared = Object.entries(inScope)
    .filter(([prefix, uri]) => prefix !== 'xml' && prefix !== 'xmlns' && (!around || outside[prefix] !== uri))
    .map(([prefix, uri]) => ` xmlns${prefix === '' ? '' : `:${prefix}`}="${escapeXml(uri)}"`)
  const given = attributes.map((attribute) => ` ${attribute.name}="${escapeXml(attribute.value)}"`)
  const inside = content.map((child) => (typeof child === 'string' ? escapeXml(child) : writeWhole(child, element)))
  const head = [name, ...declared, ...given].join('')
  return inside.length === 0 ? `<${head}/>` : `<${head}>${inside.join('')}</${name}>`
}
