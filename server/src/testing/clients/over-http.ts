import { once } from 'node:events'
import { type ClientRequest, request as send } from 'node:http'
import { request as sendOverTls } from 'node:https'
import { buffer } from 'node:stream/consumers'
import type { Nginx } from '../engines/nginx-engine.ts'
import { type Answering, TestClient, type TestRequest } from './client.ts'

/** What a request begins with. */
interface RequestHead {
  method: string
  path: string
  headers: Record<string, string>
}

/**
 * Makes calls to a server at an address, as a browser does. A refusal is a response like any other; where there is none,
 * because the connection cannot be made or ends, the call fails. Each call has a connection of its own, so that the next
 * one of a server's callers is not sent to where it is no more.
 */
export function clientAt(url: string, token?: string): TestClient {
  const { hostname: host, port } = new URL(url)
  return new TestClient(
    answering((head) => send({ host, port, ...head, agent: false })),
    token,
  )
}

/** Resolves with the results of requests that `open` has begun. */
function answering(open: (head: RequestHead) => ClientRequest): Answering {
  return {
    inject: async (given) => {
      const { headers, body } = encode(given)
      const request = open({ method: given.method, path: given.url, headers })
      // The response may be there before the body has gone, and the connection end then: that is no other failure.
      request.on('error', () => {})
      request.end(body)
      const [response] = await once(request, 'response')
      return { statusCode: response.statusCode, headers: response.headers, rawPayload: await buffer(response) }
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

/** Makes calls through nginx as a browser does: over TLS, by the name of its certificate. */
export function clientThrough(nginx: Nginx, token?: string): TestClient {
  return new TestClient(
    answering((head) => openRequest(nginx, head)),
    token,
  )
}

/** Begins a request, whose body is to be sent. */
export function openRequest(nginx: Nginx, { method, path, headers }: RequestHead): ClientRequest {
  const { host: servername, port, certificate: ca } = nginx
  const all = { host: servername, ...headers }
  return sendOverTls({ host: '127.0.0.1', port, servername, ca, method, path, headers: all, agent: false })
}
