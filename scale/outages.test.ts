import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { login } from '@alcove/contract/accounts'
import { fetchFile } from '@alcove/contract/bytes'
import { getStorage, trashFile } from '@alcove/contract/files'
import { listItems } from '@alcove/contract/item-calls'
import { deleteFile } from '@alcove/contract/trash'
import { clientAt } from '@alcove/server/testing/clients/over-http'
import type { ServerProcess } from '@alcove/server/testing/engines/server-process'
import { withServerDatabase } from '@alcove/server/testing/factories/many-items'
import { TEST_PASSWORD } from '@alcove/server/testing/factories/users'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Cluster, type Person, startCluster } from './cluster.ts'
import { during } from './outages.ts'
import { SampleUpload, sendHalf } from './sample-upload.ts'

let cluster: Cluster
let person: Person
let people = 0
beforeAll(async () => {
  cluster = await startCluster()
})
beforeEach(async () => {
  person = await cluster.signUp(`person-${++people}`)
})
afterAll(() => cluster?.close())

// After each outage, everything is whole and the used bytes match the files.
afterEach(async () => {
  await cluster.verify()
  const { items } = (await list()).body
  const sizes = items.reduce((sum, item) => sum + (item.type === 'file' ? item.size : 0), 0)
  expect((await person.client.call(getStorage, {})).body).toMatchObject({ used_bytes: sizes, reserved_bytes: 0 })
})

/** Lists the root folder through nginx. */
const list = () => person.client.call(listItems, {})

/** Requests lists one after the other during `work`, and returns the statuses. */
async function listingDuring(work: () => Promise<void>): Promise<Set<number>> {
  const statuses = new Set<number>()
  let isOver = false
  const listing = (async () => {
    while (!isOver) {
      statuses.add((await list()).status)
      // Without a pause, the rate limit would refuse requests.
      await wait(20)
    }
  })()
  try {
    await work()
  } finally {
    isOver = true
    await listing
  }
  return statuses
}

/** Returns the expected error, which names the unavailable service and says how long to wait. */
const unavailableError = (what: string) => ({
  status: 503,
  body: { code: 'unavailable', message: `${what}. Nothing is lost. Please try again in a moment.` },
  headers: { 'retry-after': expect.stringMatching(/^\d+$/) },
})

describe('a server that is killed', () => {
  it('loses only the chunks that it was receiving, and no other request', async () => {
    const [first] = cluster.servers
    const { client, token } = person
    const upload = new SampleUpload('killed.bin', 6)
    await upload.sendAll(client, [0, 1])
    // nginx gives each to the server with fewer connections.
    const halves = await Promise.all([2, 3, 4, 5].map((index) => sendHalf(cluster.nginx, token, upload, index)))
    for (const server of cluster.servers) await expect.poll(() => countStaged(server)).toBeGreaterThan(0)
    const statuses = await listingDuring(async () => {
      await first.kill()
      try {
        const responses = await Promise.all(halves.map((half) => half.finish()))
        const lost = responses.filter((response) => response?.status === 503)
        const arrived = responses.filter((response) => response?.status === 200)
        expect([lost.length > 0, arrived.length > 0, lost.length + arrived.length]).toEqual([true, true, 4])
        for (const response of lost) expect(response?.retryAfter).toMatch(/^\d+$/)
        expect(await upload.received(client)).toHaveLength(2 + arrived.length)
        await upload.resume(client)
        expect(await upload.download(client)).toBe(upload.sha256)
      } finally {
        await first.start()
      }
    })
    expect(statuses).toEqual(new Set([200]))
    expect((await person.at[0].call(listItems, {})).body.items).toHaveLength(1)
  })
})

describe('a rolling restart of the servers', () => {
  it('loses no request', async () => {
    const { client } = person
    const upload = new SampleUpload('meanwhile.bin', 6)
    const statuses = await listingDuring(async () => {
      const sending = upload.sendAll(client, upload.indexes)
      for (const server of cluster.servers) {
        const ended = once(server.process, 'exit')
        server.process.kill('SIGTERM')
        try {
          expect(await ended).toEqual([0, null])
        } finally {
          await server.start()
        }
        // Wait until nginx uses this server again before restarting the next.
        await expect.poll(server.output).toContain('/api/items')
      }
      await sending
      await upload.resume(client)
    })
    expect(statuses).toEqual(new Set([200]))
    expect(await upload.download(client)).toBe(upload.sha256)
  })
})

/** Returns how many chunks a server is receiving. */
async function countStaged({ dataDir }: ServerProcess): Promise<number> {
  return (await readdir(join(dataDir, 'spool')).catch(() => [])).length
}

describe('an S3 store that is unavailable', () => {
  const unavailable = unavailableError('The file storage is not responding')
  const outages = [
    ['stopped', 'stop gateway', 'start gateway'],
    ['frozen', 'freeze gateway', 'thaw gateway'],
  ] as const
  it.each(outages)(
    '(%s) makes transfers fail as unavailable, loses nothing, and does not affect lists',
    async (how, begin, end) => {
      const { client } = person
      await client.upload('there.txt', 'some bytes')
      const gone = await client.upload('gone.txt', 'other bytes')
      const upload = new SampleUpload('large.bin', 3)
      await upload.sendAll(client, [0, 1])
      const whole = { uploadId: randomUUID(), filename: 'small', chunkIndex: 0, totalChunks: 1, complete: true }
      const statuses = await listingDuring(() =>
        during(begin, end, async () => {
          const responses = Promise.all([upload.send(client, 2), client.sendChunk(whole, 'x')])
          // Rows can change. The bytes of deleted files are removed when the store is back.
          expect((await client.call(trashFile, { id: gone.id })).status).toBe(200)
          expect((await client.call(deleteFile, { id: gone.id })).status).toBe(200)
          for (const response of await responses) expect(response).toMatchObject(unavailable)
          if (how === 'stopped') {
            expect(await client.raw(fetchFile, { filename: 'there.txt' })).toMatchObject(unavailable)
          }
        }),
      )
      expect(statuses).toEqual(new Set([200]))

      await upload.resume(client)
      expect(await upload.download(client)).toBe(upload.sha256)
      expect((await client.raw(fetchFile, { filename: 'there.txt' })).bytes.toString()).toBe('some bytes')
      expect((await list()).body.items.map(({ name }) => name).sort()).toEqual(['large.bin', 'there.txt'])
      await expect.poll(removalsWaiting, { timeout: 60_000 }).toBe(0)
    },
    180_000,
  )

  it('delays requests during an outage of two seconds instead of failing them', async () => {
    const upload = new SampleUpload('delayed.bin', 1)
    let sent: ReturnType<SampleUpload['send']> | undefined
    await during('freeze gateway', 'thaw gateway', async () => {
      sent = upload.send(person.client, 0)
      await wait(2000)
    })
    expect((await sent)?.status).toBe(200)
    await upload.resume(person.client)
    expect(await upload.download(person.client)).toBe(upload.sha256)
  })
})

describe('a PostgreSQL that crashes', () => {
  const unavailable = unavailableError('The database is not responding')
  it('loses no acknowledged data, and the servers reconnect by themselves', async () => {
    const { client } = person
    const processes = cluster.servers.map(({ process }) => process.pid)
    const file = new SampleUpload('whole.bin', 1)
    await file.sendAll(client, file.indexes)
    await file.resume(client)
    const upload = new SampleUpload('half.bin', 3)
    await upload.sendAll(client, [0, 2])
    const statuses = await listingDuring(async () => {
      await during('crash postgres', 'start postgres', async () => {
        expect(await list()).toMatchObject(unavailable)
        expect(await upload.send(client, 1)).toMatchObject(unavailable)
      })
      await expect.poll(async () => (await list()).status).toBe(200)
    })
    for (const status of statuses) expect([200, 503]).toContain(status)
    for (const each of person.at) expect((await each.call(listItems, {})).status).toBe(200)

    expect(await upload.received(client)).toEqual([0, 2])
    await upload.resume(client)
    expect(await upload.download(client)).toBe(upload.sha256)
    expect(await file.download(client)).toBe(file.sha256)
    // Jobs run again too: the mail of a new account arrives.
    await cluster.signUp(`after-the-crash-${people}`)
    expect(cluster.servers.map(({ process }) => process.pid)).toEqual(processes)
  })
})

describe('a Redis that is stopped', () => {
  it('causes no errors, and limits all servers together again once it is back', async () => {
    const upload = new SampleUpload('uncounted.bin', 2)
    await upload.sendAll(person.client, [0])
    await during('stop redis', 'start redis', async () => {
      for (const [server, client] of person.at.entries()) {
        expect((await client.call(listItems, {})).status).toBe(200)
        expect(await signIn(server, person.email, TEST_PASSWORD)).toBe(200)
      }
      await upload.resume(person.client)
      expect(await upload.download(person.client)).toBe(upload.sha256)
    })

    // Ten wrong passwords are allowed: per server, or in total once Redis counts.
    let turn = 0
    const isCountedTogether = async () => {
      const email = `nobody-${++turn}@example.com`
      for (let tries = 0; tries < 10; tries++) await signIn(tries % 2, email, 'Wrong-horse-7')
      return (await signIn(0, email, 'Wrong-horse-7')) === 429
    }
    await expect.poll(isCountedTogether, { interval: 500 }).toBe(true)
  })
})

async function signIn(server: number, email: string, password: string): Promise<number> {
  return (await clientAt(cluster.servers[server]?.url ?? '').call(login, { email, password })).status
}

async function removalsWaiting(): Promise<number> {
  const waiting = await withServerDatabase(cluster.databaseUrl, (db) =>
    db.selectFrom('blob_removals').selectAll().execute(),
  )
  return waiting.length
}
