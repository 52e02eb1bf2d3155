import { beforeEach, describe, expect, it } from 'vitest'
import { createDavClient, type DavClient } from '../../testing/clients/dav-client.ts'
import { app, namesIn, setUpDrive, user } from '../../testing/factories/drive.ts'

setUpDrive()
let dav: DavClient
beforeEach(async () => {
  dav = await createDavClient(app.app, user)
  await dav.put('a.txt', 'x')
})

const nested = (depth: number) => '<a>'.repeat(depth) + '</a>'.repeat(depth)
const propfindOf = (content: string) => `<D:propfind xmlns:D="DAV:"><D:prop>${content}</D:prop></D:propfind>`

const BODIES: [string, string | Buffer, number][] = [
  [
    'an entity bomb',
    `<!DOCTYPE a [<!ENTITY b "${'b'.repeat(1000)}"><!ENTITY c "${'&b;'.repeat(1000)}">]><a>&c;</a>`,
    400,
  ],
  ['an external entity', '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>', 400],
  ['an external document type', '<!DOCTYPE a SYSTEM "http://127.0.0.1:1/x.dtd"><a/>', 400],
  ['a document type without entities', '<!DOCTYPE x><D:propfind xmlns:D="DAV:"><D:allprop/></D:propfind>', 400],
  ['an unknown entity', '<a>&constructor;</a>', 400],
  ['elements nested too deeply', propfindOf(nested(100)), 400],
  ['very many elements', propfindOf('<a/>'.repeat(50_000)), 400],
  ['very many attributes', `<a ${Array.from({ length: 30_000 }, (_unused, n) => `b${n}=""`).join(' ')}/>`, 400],
  ['a body of more than 1 MiB', `<a>${'x'.repeat(1024 * 1024)}</a>`, 413],
  ['bytes that are not UTF-8', Buffer.from([0x3c, 0x61, 0x3e, 0xff, 0xc0, 0xaf, 0x3c, 0x2f, 0x61, 0x3e]), 400],
  ['an element in no namespace', '<propfind><allprop/></propfind>', 400],
  ['an unbound prefix', '<D:propfind><D:allprop/></D:propfind>', 400],
  ['two roots', '<D:propfind xmlns:D="DAV:"><D:allprop/></D:propfind><a/>', 400],
  ['text only', 'nonsense', 400],
  ['an unclosed element', '<D:propfind xmlns:D="DAV:"><D:allprop>', 400],
  ['zero bytes', Buffer.alloc(100), 400],
  ['names of objects', propfindOf('<__proto__ xmlns="constructor"/><x xmlns="__proto__"/>'), 207],
  ['UTF-16', Buffer.from(`\ufeff${propfindOf('<D:getetag/>')}`, 'utf16le'), 207],
]

describe('a hostile body', () => {
  it.each(BODIES)('with %s is refused without harm', async (_name, body, status) => {
    expect((await dav.send('PROPFIND', 'a.txt', { headers: { depth: '0' }, body })).status).toBe(status)
    for (const method of ['PROPPATCH', 'LOCK']) {
      const { status: found } = await dav.send(method, 'a.txt', { body })
      expect(found).toBeGreaterThanOrEqual(400)
      expect(found).toBeLessThan(500)
    }
  })
})

describe('a hostile path', () => {
  it.each([
    ['a%2Fb', 400],
    ['a%00', 400],
    ['%C0%AF', 400],
    ['%ED%A0%80', 400],
    ['%ff', 400],
    ['%', 400],
    ['%zz', 400],
    ['a%0Ab', 400],
    ['x'.repeat(300), 400],
    ['a/'.repeat(200), 400],
    ['a\\..\\b', 404],
    ['...', 404],
    ['%20', 400],
  ])('%s is refused by every method', async (path, status) => {
    for (const method of ['PROPFIND', 'GET', 'DELETE', 'PROPPATCH']) {
      const body =
        method === 'PROPPATCH'
          ? '<D:propertyupdate xmlns:D="DAV:"><D:set><D:prop><x/></D:prop></D:set></D:propertyupdate>'
          : ''
      expect([method, (await dav.send(method, path, { headers: { depth: '0' }, body })).status]).toEqual([
        method,
        status,
      ])
    }
    if (status === 404) return
    expect((await dav.put(path, 'x')).status).toBe(400)
    const copied = await dav.send('COPY', 'a.txt', { headers: { destination: `/dav/${path}` } })
    expect(copied.status).toBe(400)
    expect(await namesIn()).toEqual(['a.txt'])
  })
})

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

describe('random requests', () => {
  it('never fail with an error of the server', async () => {
    const random = randomNumbers(4918)
    const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T
    const parts = [
      ...[
        '<',
        '>',
        '/',
        'D:',
        'xmlns:D="DAV:"',
        'prop',
        'propfind',
        'propertyupdate',
        'set',
        'remove',
        'allprop',
        '&amp;',
        '&#0;',
      ],
      ...[
        '<![CDATA[',
        ']]>',
        '<!--',
        '-->',
        '<?xml version="1.0"?>',
        '<!DOCTYPE',
        'lockinfo',
        ' ',
        '"',
        'é',
        '\u{1f600}',
        '\ud800',
        '\0',
      ],
    ]
    const documents = [
      propfindOf('<D:getetag/><x xmlns="urn:x"/>'),
      '<D:propertyupdate xmlns:D="DAV:"><D:set><D:prop><x xmlns="urn:x">1</x></D:prop></D:set></D:propertyupdate>',
      '<D:lockinfo xmlns:D="DAV:"><D:lockscope><D:shared/></D:lockscope><D:locktype><D:write/></D:locktype></D:lockinfo>',
    ]
    const damage = (text: string) => {
      const at = Math.floor(random() * text.length)
      const cut = Math.floor(random() * 10)
      return text.slice(0, at) + pick(parts) + text.slice(at + cut)
    }
    const path = () =>
      Array.from({ length: 1 + Math.floor(random() * 3) }, () =>
        pick(['a.txt', 'b', '..', '%00', '%2F', 'é', '%C3%A9', '', '?x', ';', '\\', '%', '\u202e']),
      ).join('/')
    for (let round = 0; round < 1500; round += 1) {
      const method = pick(['PROPFIND', 'PROPPATCH', 'LOCK', 'UNLOCK', 'PUT', 'MKCOL', 'COPY', 'MOVE', 'DELETE', 'GET'])
      let body = pick(documents)
      for (let times = Math.floor(random() * 4); times > 0; times -= 1) body = damage(body)
      const headers: Record<string, string> = {
        depth: pick(['0', '1', 'infinity', '-1', 'x', '1,noroot']),
        ...(random() < 0.5 && { destination: `/dav/${encodeURI(path())}` }),
        ...(random() < 0.3 && { if: damage('(<urn:uuid:1> ["x"]) (Not <DAV:no-lock>)').replace(/[^\x20-\x7e]/g, '?') }),
        ...(random() < 0.2 && { 'if-match': pick(['*', '"x"', 'W/"x"', 'x', '""', ',']) }),
        ...(random() < 0.2 && { overwrite: pick(['T', 'F', 'x']) }),
        ...(random() < 0.2 && { timeout: pick(['Infinite', 'Second-1', 'Second-99999999999', 'x']) }),
        ...(random() < 0.2 && { 'lock-token': pick(['<urn:uuid:1>', '<', 'x']) }),
        ...(random() < 0.2 && { 'x-oc-mtime': pick(['1', '-1', 'x', '1e9', '99999999999999']) }),
        ...(random() < 0.2 && { 'oc-checksum': pick(['SHA1:x', 'MD5:', ':', 'x', 'CRC32:1']) }),
        ...(random() < 0.2 && { range: pick(['bytes=0-', 'bytes=-', 'x', 'bytes=9-1']) }),
      }
      const target = encodeURI(path()).replaceAll('%25', '%')
      const { status, text } = await dav.send(method, target, { headers, ...(method !== 'GET' && { body }) })
      expect([method, target, headers, body, status >= 500 && status !== 507 ? text : '']).toEqual([
        method,
        target,
        headers,
        body,
        '',
      ])
    }
  })
})
