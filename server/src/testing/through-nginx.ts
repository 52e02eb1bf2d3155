import { once } from 'node:events'
import { request as send } from 'node:https'
import { buffer } from 'node:stream/consumers'
import { TestClient } from './client.ts'
import type { Nginx } from './nginx-engine.ts'

/** Makes calls through nginx as a browser does: over TLS, by the name of its certificate. */
export function clientThrough(nginx: Nginx, token?: string): TestClient {
  const { host: servername, port, certificate: ca } = nginx
  const inject: ConstructorParameters<typeof TestClient>[0]['inject'] = async (given) => {
    const { method, url: path, payload = '' } = given
    const isRaw = typeof payload === 'string' || payload instanceof Buffer
    const body = isRaw ? payload : JSON.stringify(payload)
    const type = isRaw ? undefined : { 'content-type': 'application/json' }
    const headers = { host: servername, 'content-length': Buffer.byteLength(body), ...type, ...given.headers }
    const request = send({ host: '127.0.0.1', port, servername, ca, method, path, headers, agent: false })
    request.end(body)
    const [response] = await once(request, 'response')
    return { statusCode: response.statusCode, headers: response.headers, rawPayload: await buffer(response) }
  }
  return new TestClient({ inject }, token)
}
