import { once } from 'node:events'
import { type ClientRequest, request as send } from 'node:http'
import { request as sendOverTls } from 'node:https'
import type { Nginx } from '../engines/nginx-engine.ts'
import { TestClient, type TestRequest, type Transport } from './client.ts'
import { readOrLeave } from './event-reader.ts'

/** A request without its body. */
interface RequestHead {
  method: string
  path: string
  headers: Record<string, string>
}

/**
 * Creates a client that makes calls to a server at a URL, as a browser does. Error responses are returned like any other. A call
 * throws if there is no response because the connection fails. Each call opens a new connection, so that no call is sent on
 * one that a stopped server has left.
 */
export function clientAt(url: string, token?: string): TestClient {
  const { hostname: host, port } = new URL(url)
  return new TestClient(
    transport((head) => send({ host, port, ...head, agent: false })),
    token,
  )
}

/** Creates a transport that sends requests with `open`. */
function transport(open: (head: RequestHead) => ClientRequest): Transport {
  return {
    inject: async (given) => {
      const { headers, body } = encode(given)
      const request = open({ method: given.method, path: given.url, headers })
      // The server may respond before it has read the body, and then close the connection. That is no failure.
      request.on('error', () => {})
      request.end(body)
      const [response] = await once(request, 'response')
      return {
        statusCode: response.statusCode,
        headers: response.headers,
        rawPayload: await readOrLeave(String(response.headers['content-type']), response),
      }
    },
  }
}

function encode({ headers = {}, payload = '' }: TestRequest): {
  headers: Record<string, string>
  body: Buffer | string
} {
  const isRaw = typeof payload === 'string' || payload instanceof Buffer
  const body = isRaw ? payload : JSON.stringify(payload)
  const type: Record<string, string> = isRaw ? {} : { 'content-type': 'application/json' }
  return { headers: { 'content-length': String(Buffer.byteLength(body)), ...type, ...headers }, body }
}

/** Creates a client that makes calls through nginx, as a browser does: over TLS, with the host name of its certificate. */
export function clientThrough(nginx: Nginx, token?: string): TestClient {
  return new TestClient(
    transport((head) => openRequest(nginx, head)),
    token,
  )
}

/** Opens a request. The caller sends the body. */
export function openRequest(nginx: Nginx, { method, path, headers }: RequestHead): ClientRequest {
  const { host: servername, port, certificate: ca } = nginx
  const all = { host: servername, ...headers }
  return sendOverTls({ host: '127.0.0.1', port, servername, ca, method, path, headers: all, agent: false })
}
