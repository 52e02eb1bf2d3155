import type { ClientRequest } from 'node:http'
import { request as send } from 'node:https'
import { TestClient } from './client.ts'
import type { Nginx } from './nginx-engine.ts'
import { answering, type RequestHead } from './over-http.ts'

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
  return send({ host: '127.0.0.1', port, servername, ca, method, path, headers: all, agent: false })
}
