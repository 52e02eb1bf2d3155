import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type Server } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { RequestGate } from './request-gate.ts'

let intake: RequestGate
let server: Server
/** One connection, kept open. */
let agent: Agent

beforeEach(() => listenWith(new RequestGate()))
afterEach(() => {
  agent.destroy()
  server.closeAllConnections()
  server.close()
})

async function listenWith(given: RequestGate): Promise<void> {
  intake = given
  server = createServer(intake.listener).listen(0, '127.0.0.1')
  agent = new Agent({ keepAlive: true, maxSockets: 1 })
  await once(server, 'listening')
}

/** Status, connection and text of the response. */
async function ask(path: string, body = '', from: Agent | false = agent): Promise<[number, string, string]> {
  const { port } = server.address() as { port: number }
  const headers = { 'content-length': Buffer.byteLength(body) }
  const sent = request({ host: '127.0.0.1', port, path, method: 'POST', headers, agent: from }).end(body)
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  const text = (await buffer(answer)).toString()
  return [answer.statusCode as number, String(answer.headers.connection), text]
}

function echo(): void {
  intake.open(async (incoming, response) => response.end(`done: ${await buffer(incoming)}`))
}

it('what comes before there is anyone to do it waits, and is done then', async () => {
  const early = ask('/api/create-folder', 'a folder')
  const health = await ask('/api/health', '', false)
  expect([health[0], JSON.parse(health[2]).code]).toEqual([503, 'unavailable'])
  echo()
  expect(await early).toEqual([200, 'keep-alive', 'done: a folder'])
  expect(await ask('/api/health')).toEqual([200, 'keep-alive', 'done: '])
})

it('what has waited for too long is refused, in words', async () => {
  server.close()
  await listenWith(new RequestGate(20))
  const [status, connection, text] = await ask('/api/items')
  expect([status, connection]).toEqual([503, 'close'])
  expect(JSON.parse(text)).toMatchObject({ code: 'unavailable', message: expect.stringMatching(/try again/) })
})

it('who has gone before it begins is forgotten', async () => {
  const { port } = server.address() as { port: number }
  const early = request({ host: '127.0.0.1', port, path: '/api/items', agent: false })
  early.on('error', () => {}).end()
  const [incoming] = (await once(server, 'request')) as [IncomingMessage]
  early.destroy()
  await once(incoming.socket, 'close')
  let done = 0
  intake.open(() => {
    done += 1
  })
  expect(done).toBe(0)
})

it('what still comes on an open connection is done, and the connection ends with it', async () => {
  echo()
  expect((await ask('/api/items'))[1]).toBe('keep-alive')
  intake.stop()
  expect(await ask('/api/create-folder', 'late')).toEqual([200, 'close', 'done: late'])
  expect((await ask('/api/health'))[0]).toBe(503)
})
