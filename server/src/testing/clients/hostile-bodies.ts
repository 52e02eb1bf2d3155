import { createHash } from 'node:crypto'

/** Returns numbers from 0 to 1, the same ones for each seed (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Makes choices that are the same for each seed. */
export class Chance {
  readonly #next: () => number

  constructor(seed: number) {
    this.#next = randomNumbers(seed)
  }

  /** Returns an integer from 0 up to, but without, `end`. */
  below(end: number): number {
    return Math.floor(this.#next() * end)
  }

  is(probability: number): boolean {
    return this.#next() < probability
  }

  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)] as T
  }

  /** Returns a text with something inserted or cut out at a random place. */
  damage(text: string, parts: readonly string[]): string {
    const at = this.below(text.length + 1)
    return text.slice(0, at) + this.pick(parts) + text.slice(at + this.below(10))
  }
}

/** Markup that documents are damaged with. */
export const MARKUP = [
  ...['<', '>', '/', '"', ' ', 'D:', 'xmlns:D="DAV:"', 'xmlns=""', 'xmlns:D="urn:x"', 'prop', 'set', 'remove'],
  ...['allprop', 'propfind', 'propertyupdate', 'lockinfo', '&amp;', '&#0;', '&#xD800;', '&x;', '<![CDATA[', ']]>'],
  ...['<!--', '-->', '<?xml version="1.0"?>', '<?xml version="1.1" encoding="UTF-7"?>', '<!DOCTYPE'],
  ...['é', '\u{1f600}', '\ud800', '\0', '\u202e', '%', '%_', '1e999', '-1', '__proto__', 'constructor'],
]

export const nested = (depth: number) => '<a>'.repeat(depth) + '</a>'.repeat(depth)
export const propfindOf = (content: string) => `<D:propfind xmlns:D="DAV:"><D:prop>${content}</D:prop></D:propfind>`

const ENTITIES =
  '<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;">'

const NAMESPACES = 'xmlns:D="DAV:" xmlns:oc="http://owncloud.org/ns" xmlns:nc="http://nextcloud.org/ns"'
const REMOTE_PROPERTIES =
  '<D:getetag/><D:resourcetype/><D:quota-available-bytes/><D:lockdiscovery/><oc:id/><oc:fileid/><oc:permissions/>' +
  '<oc:size/><oc:checksums/><oc:favorite/><oc:share-types/><nc:has-preview/><nc:trashbin-original-location/><x xmlns="urn:x"/>'

const searchOf = (where: string) =>
  `<D:searchrequest ${NAMESPACES}><D:basicsearch><D:select><D:prop>${REMOTE_PROPERTIES}</D:prop></D:select>` +
  `<D:from><D:scope><D:href>/files/USER</D:href><D:depth>infinity</D:depth></D:scope></D:from><D:where>${where}</D:where>` +
  '<D:orderby><D:order><D:prop><D:getlastmodified/></D:prop><D:descending/></D:order></D:orderby>' +
  '<D:limit><D:nresults>20</D:nresults></D:limit></D:basicsearch></D:searchrequest>'

/** Documents that are right, by the methods that expect them. */
const RIGHT: Readonly<Record<string, readonly string[]>> = {
  PROPFIND: [
    propfindOf('<D:getetag/><x xmlns="urn:x"/>'),
    '<D:propfind xmlns:D="DAV:"><D:allprop/></D:propfind>',
    '<D:propfind xmlns:D="DAV:"><D:propname/></D:propfind>',
    `<D:propfind ${NAMESPACES}><D:prop>${REMOTE_PROPERTIES}</D:prop></D:propfind>`,
    '',
  ],
  PROPPATCH: [
    '<D:propertyupdate xmlns:D="DAV:"><D:set><D:prop><x xmlns="urn:x">1</x></D:prop></D:set></D:propertyupdate>',
    `<D:propertyupdate ${NAMESPACES}><D:set><D:prop><oc:favorite>1</oc:favorite><D:getlastmodified>x</D:getlastmodified></D:prop></D:set><D:remove><D:prop><x xmlns="urn:x"/></D:prop></D:remove></D:propertyupdate>`,
  ],
  LOCK: [
    '<D:lockinfo xmlns:D="DAV:"><D:lockscope><D:shared/></D:lockscope><D:locktype><D:write/></D:locktype></D:lockinfo>',
    '<D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/></D:locktype><D:owner>me</D:owner></D:lockinfo>',
  ],
  REPORT: [
    `<oc:filter-files ${NAMESPACES}><D:prop>${REMOTE_PROPERTIES}</D:prop><oc:filter-rules><oc:favorite>1</oc:favorite></oc:filter-rules></oc:filter-files>`,
  ],
  SEARCH: [
    searchOf('<D:like><D:prop><D:displayname/></D:prop><D:literal>%a%</D:literal></D:like>'),
    searchOf(
      '<D:and><D:or><D:like><D:prop><D:getcontenttype/></D:prop><D:literal>image/%</D:literal></D:like></D:or><D:gt><D:prop><D:getlastmodified/></D:prop><D:literal>2020-01-01T00:00:00Z</D:literal></D:gt></D:and>',
    ),
    searchOf('<D:eq><D:prop><oc:favorite/></D:prop><D:literal>1</D:literal></D:eq>'),
  ],
}

const WRONG = [
  ...Object.values(RIGHT).flat(),
  searchOf(`<D:not>${'<D:and>'.repeat(40)}${'</D:and>'.repeat(40)}</D:not>`),
  `<!DOCTYPE D:propfind [${ENTITIES}]><D:propfind xmlns:D="DAV:">&c;</D:propfind>`,
  '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><D:propfind xmlns:D="DAV:"><D:prop>&b;</D:prop></D:propfind>',
  '<!DOCTYPE a [<!ENTITY % b SYSTEM "http://127.0.0.1:1/x.dtd"> %b;]><a/>',
  propfindOf(nested(70)),
  `<a ${Array.from({ length: 300 }, (_unused, n) => `b${n}="${n}"`).join(' ')}/>`,
  '<D:propfind xmlns:D="dav:"><D:allprop/></D:propfind>',
  'text',
  '',
]

/** Returns a document for a method. With `isHostile` it may be one for another method, damaged, or rarely too large. */
export function makeDocument(chance: Chance, method: string, isHostile: boolean): string {
  const right = RIGHT[method] ?? ['']
  if (!isHostile) return chance.pick(right)
  if (chance.is(0.002)) return propfindOf('<a/>'.repeat(25_000))
  if (chance.is(0.001)) return `<a>${'x'.repeat(1024 * 1024)}</a>`
  let document = chance.pick(chance.is(0.5) ? right : WRONG)
  for (let times = chance.below(3); times > 0; times -= 1) document = chance.damage(document, MARKUP)
  return document
}

const FRAMING = ['--b', '--b--', '\r\n', '\r\n\r\n', '\n', ':', '\0', 'Content-Length: 9999999', 'x'.repeat(20_000)]

/** Returns the body of a bulk upload of Nextcloud's desktop client, which stores a file at each path. */
export function makeBulk(chance: Chance, paths: readonly string[], isHostile: boolean): { body: string; type: string } {
  const parts = paths.map((path) => {
    const content = chance.pick(['x', 'text', ''])
    const length = isHostile ? chance.pick(['0', '-1', 'x', '99', '9'.repeat(20)]) : content.length
    const hash = createHash('md5').update(content).digest('hex')
    return `--b\r\nX-File-Path: ${path}\r\nX-File-MD5: ${hash}\r\nContent-Length: ${length}\r\n\r\n${content}\r\n`
  })
  let body = `${parts.join('')}--b--\r\n`
  for (let times = isHostile ? chance.below(4) : 0; times > 0; times -= 1) body = chance.damage(body, FRAMING)
  const types = [
    'multipart/related; boundary=',
    'multipart/related',
    'multipart/related; boundary="',
    'multipart/mixed; boundary=b',
  ]
  return { body, type: isHostile ? chance.pick(types) : 'multipart/related; boundary=b' }
}
