import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestClient } from '../../testing/clients/client.ts'
import { clientThrough } from '../../testing/clients/over-http.ts'
import { type Nginx, noNginx, startNginx } from '../../testing/engines/nginx-engine.ts'
import { findFreePort } from '../../testing/engines/ports.ts'
import { createTestApp, type TestApp } from '../../testing/engines/test-app.ts'
import type { TestUser } from '../../testing/factories/users.ts'

/** Downloads with the configuration in `deploy/nginx`: from the disk, and from the store in the project `server-s3`. */
describe.skipIf(noNginx)(`downloads that nginx sends for the server${noNginx}`, () => {
  const content = randomBytes(1_200_000)
  let app: TestApp
  let nginx: Nginx
  let user: TestUser
  let client: TestClient
  let fileId: string

  beforeAll(async () => {
    app = await createTestApp({ sendFiles: 'nginx', publicUrl: 'https://alcove.test' })
    const address = await app.app.listen({ port: 0, host: '127.0.0.1' })
    nginx = await startNginx({
      servers: [new URL(address).host],
      filesDir: app.services.config.s3 ? undefined : app.dataDir,
      s3Endpoint: app.services.config.s3?.endpoint,
    })
    user = await app.createUser()
    client = clientThrough(nginx, user.token)
    fileId = (await user.client.upload('a b.html', content)).id
  })
  afterAll(async () => {
    await nginx?.stop()
    await app?.close()
  })

  const get = (headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
    client.request({ method, url: '/api/user-files/a%20b.html', headers })

  it('sends a whole file with the same headers as the server', async () => {
    const sent = await get()
    expect(sent.status).toBe(200)
    expect(sent.bytes.equals(content)).toBe(true)
    // Without nginx in front, the server sends the bytes itself.
    const headers = { 'x-forwarded-proto': 'https' }
    const own = await user.client.request({ method: 'GET', url: '/api/user-files/a%20b.html', headers })
    const { server, date, connection, 'x-request-id': id, ...sentHeaders } = sent.headers
    const { date: _date, connection: _connection, 'x-request-id': _id, ...expected } = own.headers
    expect(sentHeaders).toEqual(expected)
    expect(server).toBe('nginx')
    expect(sentHeaders['strict-transport-security']).toBe('max-age=31536000')
    expect(id).toMatch(/^[0-9a-f]{32}$/)
    expect(sentHeaders['content-security-policy']).toMatch(/^sandbox;/)
  })

  it.each([
    ['bytes=0-9', 0, 9],
    ['bytes=1199990-', 1_199_990, 1_199_999],
    ['bytes=-10', 1_199_990, 1_199_999],
    ['bytes=500000-9999999', 500_000, 1_199_999],
    ['bytes=0-', 0, 1_199_999],
  ])('sends the range %s', async (range, start, end) => {
    const sent = await get({ range })
    expect(sent.status).toBe(206)
    expect(sent.headers['content-range']).toBe(`bytes ${start}-${end}/1200000`)
    expect(sent.headers['content-type']).toBe('text/html')
    expect(sent.bytes.equals(content.subarray(start, end + 1))).toBe(true)
  })

  it('handles conditional requests and ranges like the server', async () => {
    const { headers } = await get({}, 'HEAD')
    const [etag, lastModified] = [String(headers.etag), String(headers['last-modified'])]
    expect((await get({ 'if-none-match': etag })).status).toBe(304)
    expect((await get({ 'if-none-match': '"x"' })).status).toBe(200)
    expect((await get({ 'if-modified-since': lastModified })).status).toBe(304)
    expect((await get({ 'if-modified-since': new Date(Date.now() + 60_000).toUTCString() })).status).toBe(200)
    expect((await get()).headers['last-modified']).toBe(lastModified)
    expect((await get({ range: 'bytes=0-1', 'if-range': etag })).status).toBe(206)
    expect((await get({ range: 'bytes=0-1', 'if-range': '"x"' })).status).toBe(200)
    expect((await get({ range: 'bytes=0-1,5-6' })).status).toBe(200)
    const beyond = await get({ range: 'bytes=1200000-' })
    expect([beyond.status, beyond.headers['content-range']]).toEqual([416, 'bytes */1200000'])
  })

  it('sends the headers without a body for HEAD', async () => {
    const { status, headers, bytes } = await get({}, 'HEAD')
    expect([status, headers['content-length'], bytes.length]).toEqual([200, '1200000', 0])
  })

  it('refuses internal addresses from outside and downloads without a session', async () => {
    const { blob_key: key } = await app.services.db
      .selectFrom('items')
      .select('blob_key')
      .where('id', '=', fileId)
      .executeTakeFirstOrThrow()
    const internal = app.services.blobs.internalAddress(key as string) as string
    for (const url of [
      internal,
      `/x/..${internal}`,
      '/_files/blobs/../secret',
      '/_files/alcove.sqlite',
      '/_s3/',
      '/_s3/bytes',
    ]) {
      const response = await client.request({ method: 'GET', url })
      expect([url, response.status]).toEqual([url, 404])
    }
    expect((await clientThrough(nginx).request({ method: 'GET', url: '/api/user-files/a%20b.html' })).status).toBe(401)
  })

  it.runIf(process.env.ALCOVE_TEST_BLOBS === 's3')('returns 503 if the object store is unreachable', async () => {
    const address = new URL(app.app.listeningOrigin)
    const s3Endpoint = `http://127.0.0.1:${await findFreePort()}`
    const withoutStore = await startNginx({ servers: [address.host], s3Endpoint })
    try {
      const asking = clientThrough(withoutStore, user.token)
      const response = await asking.request({ method: 'GET', url: '/api/user-files/a%20b.html' })
      expect([response.status, response.headers['retry-after']]).toEqual([503, '5'])
      expect(response.body).toMatchObject({ code: 'unavailable', message: expect.stringMatching(/Nothing is lost/) })
      expect(response.headers['cache-control']).toMatch(/no-cache/)
    } finally {
      await withoutStore.stop()
    }
  })

  it('returns an internal error without an ETag if the bytes are missing', async () => {
    const lost = await user.client.upload('lost.html', randomBytes(200_000))
    const { blob_key: key } = await app.services.db
      .selectFrom('items')
      .select('blob_key')
      .where('id', '=', lost.id)
      .executeTakeFirstOrThrow()
    await app.services.blobs.remove(key as string)
    const response = await client.request({ method: 'GET', url: '/api/user-files/lost.html' })
    expect(response.status).toBe(500)
    expect(response.body).toMatchObject({ code: 'internal', message: expect.stringMatching(/^Something went wrong/) })
    expect(response.headers['cache-control']).toMatch(/no-cache|no-store/)
    expect(response.headers.etag).toBeUndefined()
  })
})
