import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { logout } from '@alcove/contract/accounts'
import { createFolder } from '@alcove/contract/files'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type EventReader, readEvents } from '../../testing/clients/event-reader.ts'
import { clientAt, openRequest } from '../../testing/clients/over-http.ts'
import { signUp } from '../../testing/clients/sign-up.ts'
import { noNginx, startNginx } from '../../testing/engines/nginx-engine.ts'
import { type ServerProcess, startServerProcess } from '../../testing/engines/server-process.ts'
import { createTestDatabase } from '../../testing/engines/test-databases.ts'

const isPostgres = process.env.ALCOVE_TEST_DATABASE === 'postgres'

/** Opens a stream, and waits for the current version. */
async function open(url: string, token: string): Promise<EventReader> {
  const reader = await readEvents(url, token)
  await expect.poll(() => reader.events.length).toBe(1)
  return reader
}

// Nothing else would cause what the tests wait for, so on a busy machine they may wait for long.
const WITHIN = { timeout: 30_000 }

describe('a server with open event streams', { timeout: 120_000 }, () => {
  it('ends them when their session ends, and at once when it stops', async () => {
    const server = await startServerProcess()
    try {
      const { token, client } = await signUp(server.url, 'mara@example.com', [server.dataDir])
      const mine = await open(server.url, token)
      expect((await client.call(logout, {})).status).toBe(200)
      await expect.poll(mine.isOpen, WITHIN).toBe(false)

      const other = await signUp(server.url, 'noel@example.com', [server.dataDir])
      const theirs = await open(server.url, other.token)
      const exited = once(server.process, 'exit')
      const start = performance.now()
      server.process.kill('SIGTERM')
      expect(await exited).toEqual([0, null])
      // Requests in progress would get ten seconds.
      expect(performance.now() - start).toBeLessThan(9_000)
      expect(theirs.isOpen()).toBe(false)
    } finally {
      await server.stop()
    }
  })
})

describe.runIf(isPostgres)('two servers with one database', { timeout: 120_000 }, () => {
  let servers: [ServerProcess, ServerProcess]
  let drop: () => Promise<void>

  beforeAll(async () => {
    const database = await createTestDatabase()
    drop = database.drop
    const settings = {
      ALCOVE_PUBLIC_URL: 'https://alcove.test',
      ALCOVE_SECRET: randomBytes(16).toString('hex'),
      ALCOVE_DATABASE_URL: database.url,
    }
    servers = await Promise.all([startServerProcess(settings), startServerProcess(settings)])
  }, 120_000)
  afterAll(async () => {
    await Promise.all((servers ?? []).map((server) => server.stop()))
    await drop?.()
  })

  const signUpAnd = (name: string) =>
    signUp(
      servers[0].url,
      `${name}@example.com`,
      servers.map(({ dataDir }) => dataDir),
    )

  it('send changes made at one server to the streams of the other, and end them', async () => {
    const { token, client } = await signUpAnd('both')
    const reader = await open(servers[1].url, token)
    await client.call(createFolder, { folderName: 'Made at the first' })
    await expect.poll(() => reader.events.length, WITHIN).toBe(2)
    await client.call(logout, {})
    await expect.poll(reader.isOpen, WITHIN).toBe(false)
  })

  it.skipIf(noNginx)(`send events through nginx at once${noNginx}`, async () => {
    const nginx = await startNginx({ servers: servers.map(({ url }) => new URL(url).host) })
    try {
      const { token } = await signUpAnd('behind')
      const headers = { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip, br' }
      const request = openRequest(nginx, { method: 'GET', path: '/api/events', headers })
      request.on('error', () => {})
      request.end()
      const [response] = await once(request, 'response')
      let text = ''
      response.on('data', (bytes: Buffer) => (text += bytes.toString()))
      await expect.poll(() => text, WITHIN).toContain('"type":"changes"')
      await clientAt(servers[0].url, token).call(createFolder, { folderName: 'Behind nginx' })
      await expect.poll(() => text.match(/"type":"changes"/g)?.length, WITHIN).toBe(2)
      expect(response.headers['content-encoding']).toBeUndefined()
      request.destroy()
    } finally {
      await nginx.stop()
    }
  })
})
