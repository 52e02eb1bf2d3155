import { randomUUID } from 'node:crypto'
import { login, logout, register } from '@alcove/contract/accounts'
import { createFolder, listRootFolders } from '@alcove/contract/files'
import { MAX_FOLDER_PATHS } from '@alcove/contract/limits'
import { searchItems } from '@alcove/contract/search'
import { createFolderPaths } from '@alcove/contract/uploads'
import { clientAt } from '@alcove/server/testing/clients/over-http'
import { readOutboxes } from '@alcove/server/testing/clients/sign-up'
import { withServerDatabase } from '@alcove/server/testing/factories/many-items'
import { TEST_PASSWORD } from '@alcove/server/testing/factories/users'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Cluster, startCluster } from './cluster.ts'
import { SampleUpload } from './sample-upload.ts'

let cluster: Cluster
beforeAll(async () => {
  cluster = await startCluster()
})
afterAll(() => cluster?.close())

/** Returns a client without a session at the first or second server. */
const visitorAt = (index: 0 | 1) => clientAt(cluster.servers[index].url)

describe('two servers behind nginx', () => {
  it('create the tables once when both start at once on an empty database', async () => {
    const migrations = await withServerDatabase(cluster.databaseUrl, (db) =>
      db.withTables<{ kysely_migration: { name: string } }>().selectFrom('kysely_migration').select('name').execute(),
    )
    const names = migrations.map(({ name }) => name)
    expect(names).toContain('001-initial')
    expect(new Set(names).size).toBe(names.length)
  })

  it('create one file from chunks that both have received', async () => {
    const { client } = await cluster.signUp('uploader')
    const upload = new SampleUpload('film.mp4', 5)
    await upload.sendAll(client, [3, 0, 4])
    await Promise.all([1, 2, 5].map((index) => upload.sendAll(client, [index])))
    await upload.resume(client)
    expect(await upload.download(client)).toBe(upload.sha256)
    for (const server of cluster.servers) {
      await expect.poll(server.output).toContain('/api/upload-chunk')
    }
    await cluster.verify()
  })

  it('share sessions and folders, and end a session on both', async () => {
    const { at, client } = await cluster.signUp('both')
    const { status, body } = await at[0].call(createFolder, { folderName: 'Made at the first' })
    expect(status).toBe(201)
    expect((await at[1].call(listRootFolders, {})).body).toMatchObject([{ id: body.id }])
    expect((await at[1].call(logout, {})).status).toBe(200)
    for (const ended of [...at, client]) expect((await ended.call(listRootFolders, {})).status).toBe(401)
  })

  it('share the counters of rate limits', async () => {
    const email = `${randomUUID()}@example.com`
    const tryAt = async (index: 0 | 1) =>
      (await visitorAt(index).call(login, { email, password: 'Wrong-horse-7' })).status
    for (let tries = 0; tries < 5; tries++) {
      expect([await tryAt(0), await tryAt(1)]).toEqual([401, 401])
    }
    expect([await tryAt(0), await tryAt(1)]).toEqual([429, 429])
  })

  it('run each job once, so each mail is sent once', async () => {
    const emails = Array.from({ length: 30 }, () => `${randomUUID()}@example.com`)
    const registered = emails.map((email, index) =>
      visitorAt(index % 2 === 0 ? 0 : 1).call(register, { email, password: TEST_PASSWORD }),
    )
    for (const { status } of await Promise.all(registered)) expect(status).toBe(201)
    const countMails = async () => {
      const mails = await readOutboxes(cluster.dataDirs)
      return emails.map((email) => mails.filter((mail) => mail.includes(`\nTo: ${email}\n`)).length)
    }
    await expect.poll(countMails).not.toContain(0)
    await expect.poll(() => countRows('jobs')).toBe(0)
    expect(new Set(await countMails())).toEqual(new Set([1]))
  })

  it('index the names that both have stored, and find each name once', async () => {
    const { at } = await cluster.signUp('searcher')
    const name = (server: number, index: number) => `grain ${'AB'[server]}${index + 1000}`
    const fill = async (server: 0 | 1) => {
      for (let first = 0; first < 2000; first += MAX_FOLDER_PATHS) {
        const folderPaths = Array.from({ length: MAX_FOLDER_PATHS }, (_, index) => name(server, first + index))
        expect((await at[server].call(createFolderPaths, { folderPaths })).status).toBe(201)
      }
    }
    await Promise.all([fill(0), fill(1)])
    // The rest is too little for an index segment, and searched directly.
    await expect.poll(() => countRows('search_pending')).toBeLessThan(1024)
    for (const client of at) {
      for (const wanted of [name(0, 0), name(0, 1999), name(1, 0), name(1, 1234)]) {
        const { body } = await client.call(searchItems, { q: wanted })
        expect(body.map((found) => found.name)).toEqual([wanted])
      }
    }
  })

  it('run the job of a server that has gone once its lease has expired', async () => {
    const payload = JSON.stringify({ userId: null })
    const job = { id: randomUUID(), kind: 'reset mail', payload, attempts: 1, run_at: Date.now() + 1000 }
    await withServerDatabase(cluster.databaseUrl, (db) => db.insertInto('jobs').values(job).execute())
    await expect.poll(() => countRows('jobs')).toBe(0)
    expect(Date.now()).toBeGreaterThanOrEqual(job.run_at)
  })

  it('log no errors in any of these tests', () => {
    for (const server of cluster.servers) {
      const lines = server.output().split('\n')
      expect(lines.filter((line) => /"level":[56]0/.test(line))).toEqual([])
    }
  })
})

function countRows(table: 'jobs' | 'search_pending'): Promise<number> {
  return withServerDatabase(cluster.databaseUrl, async (db) => {
    const { count } = await db
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    return Number(count)
  })
}
