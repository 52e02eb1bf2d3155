import { once } from 'node:events'
import { Agent, request as send } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { type Answering, TestClient, type TestRequest } from './client.ts'

/**
 * Makes calls to a server at an address, as a browser does. A refusal is an answer like any other; where there is none,
 * because the connection cannot be made or ends, the call fails. Each call has a connection of its own, so that the next
 * one of a server's callers is not sent to where it is no more.
 */
export function clientAt(url: string, token?: string): TestClient {
  return new TestClient(overHttp(url), token)
}

function overHttp(url: string): Answering {
  return {
    inject: async (given) => {
      const { headers, body } = encode(given)
      // Kept alive, as a browser's: else a server that refuses before it has read all might close it under the answer.
      const agent = new Agent({ keepAlive: true })
      const request = send(new URL(given.url, url), { method: given.method, headers, agent })
      try {
        request.end(body)
        const [response] = await once(request, 'response')
        return { statusCode: response.statusCode, headers: response.headers, rawPayload: await buffer(response) }
      } finally {
        // What becomes of a body that was answered before its end is nobody's concern.
        request.on('error', () => {})
        agent.destroy()
      }
    },
  }
}

function encode({ headers = {}, payload }: TestRequest): { headers: Record<string, string>; body: Buffer | string } {
  if (payload === undefined) return { headers, body: '' }
  const isRaw = typeof payload === 'string' || payload instanceof Buffer
  const body = isRaw ? payload : JSON.stringify(payload)
  const type: Record<string, string> = isRaw ? {} : { 'content-type': 'application/json' }
  return { headers: { 'content-length': String(Buffer.byteLength(body)), ...type, ...headers }, body }
}
