import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type Server } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { RequestGate } from './request-gate.ts'

let gate: RequestGate
let server: Server
/** Keeps one connection open. */
let agent: Agent

beforeEach(() => listenWith(new RequestGate()))
afterEach(() => {
  agent.destroy()
  server.closeAllConnections()
  server.close()
})

async function listenWith(given: RequestGate): Promise<void> {
  gate = given
  server = createServer(gate.listener).listen(0, '127.0.0.1')
  agent = new Agent({ keepAlive: true, maxSockets: 1 })
  await once(server, 'listening')
}

/** Returns the status, the `Connection` header and the text of the response. */
async function ask(path: string, body = '', from: Agent | false = agent): Promise<[number, string, string]> {
  const { port } = server.address() as { port: number }
  const headers = { 'content-length': Buffer.byteLength(body) }
  const sent = request({ host: '127.0.0.1', port, path, method: 'POST', headers, agent: from }).end(body)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const text = (await buffer(response)).toString()
  return [response.statusCode as number, String(response.headers.connection), text]
}

function echo(): void {
  gate.open(async (incoming, response) => response.end(`done: ${await buffer(incoming)}`))
}

it('holds requests until the server is ready, while the health check fails', async () => {
  const early = ask('/api/create-folder', 'a folder')
  const health = await ask('/api/health', '', false)
  expect([health[0], JSON.parse(health[2]).code]).toEqual([503, 'unavailable'])
  echo()
  expect(await early).toEqual([200, 'keep-alive', 'done: a folder'])
  expect(await ask('/api/health')).toEqual([200, 'keep-alive', 'done: '])
})

it('refuses a request that has waited too long, with an error message', async () => {
  server.close()
  await listenWith(new RequestGate(20))
  const [status, connection, text] = await ask('/api/items')
  expect([status, connection]).toEqual([503, 'close'])
  expect(JSON.parse(text)).toMatchObject({ code: 'unavailable', message: expect.stringMatching(/try again/) })
})

it('drops a waiting request whose client has disconnected', async () => {
  const { port } = server.address() as { port: number }
  const early = request({ host: '127.0.0.1', port, path: '/api/items', agent: false })
  early.on('error', () => {}).end()
  const [incoming] = (await once(server, 'request')) as [IncomingMessage]
  early.destroy()
  await once(incoming.socket, 'close')
  let done = 0
  gate.open(() => {
    done += 1
  })
  expect(done).toBe(0)
})

it('handles a late request on an open connection and then closes the connection', async () => {
  echo()
  expect((await ask('/api/items'))[1]).toBe('keep-alive')
  gate.stop()
  expect(await ask('/api/create-folder', 'late')).toEqual([200, 'close', 'done: late'])
  expect((await ask('/api/health'))[0]).toBe(503)
})
