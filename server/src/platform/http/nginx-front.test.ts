import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse, request as sendPlain } from 'node:http'
import { connect } from 'node:http2'
import { request as sendOverTls } from 'node:https'
import { buffer } from 'node:stream/consumers'
import { MAX_CHUNK_SIZE, MAX_SELECTION_BODY } from '@alcove/contract/limits'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { clientThrough } from '../../testing/clients/over-http.ts'
import { type Nginx, noNginx, startNginx } from '../../testing/engines/nginx-engine.ts'

interface Backend {
  server: Server
  address: string
  /** The method and path of each request. */
  seen: string[]
  respond: (request: IncomingMessage, response: ServerResponse) => void
}

async function startBackend(): Promise<Backend> {
  const server = createServer((request, response) => {
    backend.seen.push(`${request.method} ${request.url}`)
    backend.respond(request, response)
  })
  const backend: Backend = { server, address: '', seen: [], respond: echo }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  backend.address = `127.0.0.1:${(server.address() as { port: number }).port}`
  return backend
}

/** Responds with the request's headers and the size of its body. */
const echo: Backend['respond'] = async (request, response) => {
  const body = await buffer(request)
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ headers: request.headers, size: body.length }))
}

/** Reads the whole request and then closes the connection, like a server that is killed. */
const die: Backend['respond'] = async (request) => {
  await buffer(request)
  request.socket.destroy()
}

describe.skipIf(noNginx)(`nginx in front of two servers${noNginx}`, () => {
  let backends: [Backend, Backend]
  let nginx: Nginx
  const visitor = () => clientThrough(nginx)
  const get = (url: string, headers: Record<string, string> = {}) => visitor().request({ method: 'GET', url, headers })
  const post = (url: string, payload: Buffer | string = '') => visitor().request({ method: 'POST', url, payload })
  const seen = () => backends.flatMap((backend) => backend.seen)

  // nginx avoids a failed server for a while, so each test starts an nginx of its own.
  beforeEach(async () => {
    backends = [await startBackend(), await startBackend()]
    nginx = await startNginx({ servers: backends.map(({ address }) => address) })
  })
  afterEach(async () => {
    await nginx.stop()
    for (const { server } of backends) {
      server.closeAllConnections()
      server.close()
    }
  })

  it('forwards the address and protocol of the client and replaces forged headers', async () => {
    const forged = {
      'x-forwarded-for': '6.6.6.6',
      'x-forwarded-proto': 'http',
      'x-forwarded-host': 'evil.example',
      forwarded: 'for=6.6.6.6',
      'x-request-id': 'forged-forged',
    }
    const { headers } = (await get('/api/health', forged)).body as { headers: Record<string, string> }
    expect(headers).toMatchObject({
      host: 'alcove.test',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'alcove.test',
      'x-request-id': expect.stringMatching(/^[0-9a-f]{32}$/),
    })
    expect(headers.forwarded).toBeUndefined()
  })

  it('redirects HTTP to HTTPS and refuses other host names', async () => {
    const request = sendPlain({ host: '127.0.0.1', port: nginx.plainPort, path: '/s/abc?x=1', agent: false }).end()
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    response.resume()
    expect([response.statusCode, response.headers.location]).toEqual([308, 'https://alcove.test/s/abc?x=1'])
    expect(response.headers['strict-transport-security']).toBeUndefined()
    const other = clientThrough({ ...nginx, host: 'evil.example' })
    await expect(other.request({ method: 'GET', url: '/' })).rejects.toThrow(/alert|handshake|unrecognized/i)
    expect(seen()).toEqual([])
  })

  it('does not forward /metrics', async () => {
    expect((await get('/metrics')).status).toBe(404)
    expect(seen()).toEqual([])
  })

  it('sends all requests to the other server when one is down', async () => {
    backends[0].server.closeAllConnections()
    backends[0].server.close()
    for (let time = 0; time < 10; time++) {
      expect((await get('/api/items')).status).toBe(200)
      expect((await post('/api/create-folder', '{}')).status).toBe(200)
      expect((await post('/api/upload-chunk', Buffer.alloc(300_000))).status).toBe(200)
    }
    expect(backends[1].seen.length).toBe(30)
  })

  it('retries a GET on the other server when one dies during the request', async () => {
    backends[0].respond = die
    for (let time = 0; time < 4; time++) expect((await get('/api/items')).status).toBe(200)
    expect(backends[0].seen.length).toBeGreaterThan(0)
  })

  it.each(['/api/create-folder', '/api/upload-chunk'])(
    'never retries a POST to %s, because it may have succeeded',
    async (path) => {
      for (const backend of backends) backend.respond = die
      const response = await post(path, Buffer.alloc(100_000))
      expect(response.status).toBe(503)
      expect(response.body.code).toBe('unavailable')
      expect(seen()).toEqual([`POST ${path}`])
    },
  )

  it('passes on the response of a server, even a 503, without a retry', async () => {
    for (const backend of backends) backend.respond = (_request, response) => response.writeHead(503).end('away')
    for (let time = 0; time < 4; time++) expect((await get('/api/items')).bytes.toString()).toBe('away')
    expect(seen().length).toBe(4)
  })

  it('returns an error as JSON to programs and as text to browsers when no server is up', async () => {
    for (const { server } of backends) {
      server.closeAllConnections()
      server.close()
    }
    const toProgram = await get('/api/items')
    expect([toProgram.status, toProgram.headers['retry-after']]).toEqual([503, '2'])
    expect(toProgram.body).toEqual({
      error: 'Alcove is not responding. Please try again in a moment.',
      message: 'Alcove is not responding. Please try again in a moment.',
      code: 'unavailable',
    })
    const toPerson = await get('/', { accept: 'text/html,*/*' })
    expect(toPerson.headers['content-type']).toBe('text/plain')
    expect(toPerson.bytes.toString()).toMatch(/^Alcove is not responding/)
  })

  it('accepts the largest chunk and the longest selection, and rejects larger bodies', async () => {
    const sizes = [
      ['/api/upload-chunk', MAX_CHUNK_SIZE + 20_000],
      ['/upload-chunk', MAX_CHUNK_SIZE + 20_000],
      ['/api/items/move', MAX_SELECTION_BODY],
    ] as const
    for (const [path, size] of sizes) {
      expect((await post(path, Buffer.alloc(size))).body).toMatchObject({ size })
    }
    const refused = await visitor().request({
      method: 'POST',
      url: '/api/items/move',
      headers: { 'content-length': String(2 * MAX_SELECTION_BODY) },
    })
    expect([refused.status, refused.body.code]).toEqual([413, 'too_large'])
  })

  it('streams a chunk to the server while it arrives', async () => {
    const first = new Promise<void>((resolve) => {
      for (const backend of backends) {
        backend.respond = (request, response) => {
          request.once('data', () => resolve())
          void echo(request, response)
        }
      }
    })
    const sending = sendOverTls({
      host: '127.0.0.1',
      port: nginx.port,
      servername: nginx.host,
      ca: nginx.certificate,
      method: 'POST',
      path: '/api/upload-chunk',
      headers: { host: nginx.host, 'content-length': 200_000 },
      agent: false,
    })
    sending.write(Buffer.alloc(100_000))
    // The server gets the first bytes before the rest is sent.
    await first
    sending.end(Buffer.alloc(100_000))
    const [response] = (await once(sending, 'response')) as [IncomingMessage]
    expect(JSON.parse((await buffer(response)).toString())).toMatchObject({ size: 200_000 })
  })

  it('handles concurrent HTTP/2 requests on one connection', async () => {
    const { host: servername, certificate: ca } = nginx
    const session = connect(`https://127.0.0.1:${nginx.port}`, { servername, ca })
    const send = async (size: number) => {
      const stream = session.request({ ':method': 'POST', ':path': '/api/upload-chunk', ':authority': servername })
      stream.end(Buffer.alloc(size))
      return JSON.parse((await buffer(stream)).toString())
    }
    const responses = await Promise.all([5_000_000, 100_000, 300_000].map(send))
    expect(responses.map(({ size }) => size)).toEqual([5_000_000, 100_000, 300_000])
    expect(responses[0].headers.host).toBe(servername)
    session.close()
  })

  it('writes no secrets from URLs to its log', async () => {
    await get('/api/public/SECRET-TOKEN/content?access=SECRET-GRANT')
    await get('/s/SECRET-TOKEN')
    await get('/SECRET-TOKEN')
    await expect.poll(() => nginx.readLog().split('\n').length).toBe(4)
    expect(nginx.readLog()).not.toContain('SECRET')
    expect(nginx.readLog()).toContain('"GET /api/public" 200')
  })
})
