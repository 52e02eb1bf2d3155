import { beforeEach, describe, expect, it } from 'vitest'
import { createDavClient, type DavClient } from '../../testing/clients/dav-client.ts'
import { nested, propfindOf } from '../../testing/clients/hostile-bodies.ts'
import { HostileRequests } from '../../testing/clients/hostile-requests.ts'
import { findFault } from '../../testing/clients/hostile-responses.ts'
import { app, namesIn, setUpDrive, user } from '../../testing/factories/drive.ts'

setUpDrive()
let dav: DavClient
beforeEach(async () => {
  dav = await createDavClient(app.app, user)
  await dav.put('a.txt', 'x')
})

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

/** More are sent by `scale/hostile.test.ts`. */
const RANDOM_REQUESTS = 1500
const SEED = 4918
/** A chunk that comes too early waits for two seconds. */
const TIMEOUT = 120_000

describe('random requests', () => {
  it(
    'never fail with an error of the server, and no error tells about its inside',
    async () => {
      const requests = new HostileRequests(SEED, { email: user.email, authorization: dav.authorization })
      for (let round = 0; round < RANDOM_REQUESTS; round += 1) {
        const request = requests.next()
        const { status, text } = await dav.send(request.method, request.target, {
          headers: request.headers,
          ...(request.body !== undefined && { body: request.body }),
        })
        requests.learn(text)
        const fault = findFault(request, status, text)
        if (fault !== undefined)
          throw new Error(`Seed ${SEED}, request ${round}: ${fault}\n${JSON.stringify({ request, text })}`)
      }
      expect((await dav.put('after.txt', 'x')).status).toBe(201)
      expect(await namesIn()).toContain('after.txt')
    },
    TIMEOUT,
  )
})
