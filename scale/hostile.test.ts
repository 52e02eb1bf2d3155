import { readFile } from 'node:fs/promises'
import { Agent, request as openRequest } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { createAppPassword } from '@alcove/contract/app-passwords'
import { type HostileRequest, HostileRequests } from '@alcove/server/testing/clients/hostile-requests'
import { findFault } from '@alcove/server/testing/clients/hostile-responses'
import { runCommandProcess } from '@alcove/server/testing/clients/operator-process'
import { RAW_REQUESTS, sendRaw } from '@alcove/server/testing/clients/raw-requests'
import { signUp } from '@alcove/server/testing/clients/sign-up'
import { type ServerProcess, startServerProcess } from '@alcove/server/testing/engines/server-process'
import { createTestDatabase } from '@alcove/server/testing/engines/test-databases'
import { describe, expect, it } from 'vitest'

// Nonsense for the addresses of WebDAV and of Nextcloud clients, sent to the real server over HTTP. The seed repeats the requests, but
// not the moments at which they arrive. Before a release, and after changes of these addresses, run more with another seed:
// ALCOVE_TEST_HOSTILE_REQUESTS=100000 ALCOVE_TEST_SEED=42 npm run test:scale -- hostile

const REQUESTS = Number(process.env.ALCOVE_TEST_HOSTILE_REQUESTS || 10_000)
const SEED = Number(process.env.ALCOVE_TEST_SEED || 1)
const CONNECTIONS = 8
/** Every so many requests, one is sent that no HTTP library would send. */
const RAW_EVERY = 100
const MEBIBYTE = 1024 * 1024
/** Every so many requests, locks are released: one of the root would make most requests end early. */
const UNLOCK_EVERY = 500
/**
 * How much memory the server may have within a minute after the requests. While it is busy, V8 takes up to 390 MiB, however many
 * requests have come; an idle server returns what it doesn't use, and has 140 MiB before the requests and 150 to 190 after them.
 */
const MAX_KEPT = 256 * MEBIBYTE

interface Attacked {
  server: ServerProcess
  account: { email: string; authorization: string }
}

/** Sends a request. If the server closes the connection before it responds, the response has the status 0. */
function send(agent: Agent, url: string, { method, target, headers, body }: HostileRequest) {
  const { hostname: host, port } = new URL(url)
  return new Promise<{ status: number; text: string }>((resolve) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const request = openRequest({ host, port, agent, method, path: target, headers: { ...headers, ...length } })
    request.once('error', () => resolve({ status: 0, text: '' }))
    request.once('response', (response) => {
      readText(response).then(
        (text) => resolve({ status: response.statusCode ?? 0, text }),
        () => resolve({ status: 0, text: '' }),
      )
    })
    request.end(body)
  })
}

/** Sends all requests. Returns how often each status came. */
async function attack(attacked: Attacked) {
  const { server, account } = attacked
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const requests = new HostileRequests(SEED, account)
  const statuses: Record<string, number> = {}
  let sent = 0
  async function sendAll(): Promise<void> {
    while (sent < REQUESTS) {
      sent += 1
      const round = sent
      if (round % UNLOCK_EVERY === 0) await releaseLocks(attacked)
      if (round % RAW_EVERY === 0) {
        await sendNonsense(round / RAW_EVERY)
        continue
      }
      const request = requests.next()
      let { status, text } = await send(agent, server.url, request)
      // The server may have closed an idle connection at that moment, so only the second time counts.
      if (status === 0) ({ status, text } = await send(new Agent(), server.url, request))
      requests.learn(text)
      statuses[status] = (statuses[status] ?? 0) + 1
      const fault = findFault(request, status, text)
      if (fault !== undefined) throw new Error(`${fault}\n${JSON.stringify({ round, request, text })}`)
    }
  }
  async function sendNonsense(index: number): Promise<void> {
    const [name, bytes] = RAW_REQUESTS[index % RAW_REQUESTS.length] as (typeof RAW_REQUESTS)[number]
    const received = await sendRaw(server.url, bytes, account)
    if (/^HTTP\/1\.1 5/m.test(received)) throw new Error(`${name}: ${received}`)
  }
  try {
    await Promise.all(Array.from({ length: CONNECTIONS }, sendAll))
  } catch (error) {
    sent = REQUESTS
    const { exitCode, signalCode } = server.process
    const state = `exit code ${exitCode}, signal ${signalCode}, ${server.output().slice(-3000)}`
    throw new Error(`Seed ${SEED}. The server: ${state}`, { cause: error })
  } finally {
    agent.destroy()
  }
  return statuses
}

/** Releases the locks of the root and of what is directly in it. */
async function releaseLocks({ server, account: { authorization } }: Attacked): Promise<void> {
  const body = '<D:propfind xmlns:D="DAV:"><D:prop><D:lockdiscovery/></D:prop></D:propfind>'
  const found = await fetch(`${server.url}/dav/`, { method: 'PROPFIND', headers: { authorization, depth: '1' }, body })
  const locks = (await found.text()).matchAll(
    /<D:locktoken><D:href>([^<]+)<\/D:href><\/D:locktoken><D:lockroot><D:href>([^<]+)</g,
  )
  for (const [, token, path] of locks) {
    await fetch(server.url + path, { method: 'UNLOCK', headers: { authorization, 'lock-token': `<${token}>` } })
  }
}

/** Returns the bytes of memory that a process has. */
async function readMemory({ process: { pid } }: ServerProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024
}

describe.each(['SQLite', 'PostgreSQL'])('a server on %s', (engine) => {
  it(
    `survives ${REQUESTS} hostile requests`,
    async () => {
      const database = engine === 'PostgreSQL' ? await createTestDatabase() : undefined
      const settings = { ...(database && { ALCOVE_DATABASE_URL: database.url }) }
      const server = await startServerProcess(settings)
      try {
        const { email, client } = await signUp(server.url, 'person@example.com', [server.dataDir])
        const { secret } = (await client.call(createAppPassword, { name: 'client', scope: 'write' })).body
        const authorization = `Basic ${Buffer.from(`${email}:${secret}`).toString('base64')}`
        await client.upload('a.txt', 'before')
        const attacked = { server, account: { email, authorization } }
        const statuses = await attack(attacked)
        console.log(`Seed ${SEED}, ${engine}: ${JSON.stringify(statuses)}`)
        // Many requests must have got past the first checks.
        expect(statuses['207']).toBeGreaterThan(REQUESTS / 100)
        expect(statuses['201']).toBeGreaterThan(REQUESTS / 1000)
        await expect.poll(() => readMemory(server), { timeout: 60_000, interval: 500 }).toBeLessThan(MAX_KEPT)
        expect(server.process.exitCode).toBeNull()
        expect(server.output()).not.toMatch(/request failed|uncaught|unhandled/i)
        await releaseLocks(attacked)
        const put = await fetch(`${server.url}/dav/after.txt`, {
          method: 'PUT',
          headers: { authorization },
          body: 'after',
        })
        expect(put.status).toBe(201)
        const got = await fetch(`${server.url}/dav/after.txt`, { headers: { authorization } })
        expect(await got.text()).toBe('after')
        const verified = await runCommandProcess({ ...settings, ALCOVE_DATA_DIR: server.dataDir }, 'verify')
        expect(verified.code, verified.output).toBe(0)
      } finally {
        await server.stop()
        await database?.drop()
      }
    },
    30 * 60_000,
  )
})
