import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { deleteAccount } from '@alcove/contract/accounts'
import { fetchFile } from '@alcove/contract/bytes'
import { listItems } from '@alcove/contract/item-calls'
import { placeSharedFolder } from '@alcove/contract/members'
import { listVersions, renameVersion, restoreVersion } from '@alcove/contract/versions'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createApp } from '../../app.ts'
import type { Config, S3Settings } from '../../config.ts'
import type { Services } from '../../context.ts'
import { BATCH_SIZE } from '../../modules/accounts/deletion/delete-leftovers.ts'
import { removeQueuedBlobs } from '../../modules/storage/remove-blobs.ts'
import { version } from '../../platform/version.ts'
import { registerJobs } from '../../scheduled-jobs.ts'
import { closeServices, createServices } from '../../services.ts'
import { TestClient } from '../../testing/clients/client.ts'
import { runTestCommand } from '../../testing/clients/operator.ts'
import { isOnS3, startS3 } from '../../testing/engines/s3-engine.ts'
import { createTestDatabase } from '../../testing/engines/test-databases.ts'
import { app, makeFolder, setUpDrive, trashAndDelete, user } from '../../testing/factories/drive.ts'
import { addManyItems } from '../../testing/factories/many-items.ts'
import { addTestMember } from '../../testing/factories/shares.ts'
import { blobOf, blobPath, countRows } from '../../testing/factories/stored-blob.ts'

setUpDrive()

let folder: string
let cleanups: (() => Promise<unknown>)[]
beforeEach(async () => {
  cleanups = []
  folder = await makeDirectory()
})
afterEach(async () => {
  for (const clean of cleanups.reverse()) await clean()
})

async function makeDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'alcove-backup-'))
  cleanups.push(() => rm(directory, { recursive: true, force: true }))
  return directory
}

/** Announces the total size, as the web does, so that small files are stored together. */
const store = (name: string, content: Buffer<ArrayBuffer> | string, fields = {}) =>
  user.client.upload(name, content, { totalSize: content.length, ...fields })

const backup = (to = folder) => runTestCommand(app.services.config, app.clock, 'backup', to)

/** Creates an empty data directory, database and bucket to restore into. */
async function createTarget(): Promise<Config> {
  const target = { ...app.services.config, dataDir: await makeDirectory(), s3: await makeBucket() }
  if (app.services.config.databaseUrl === undefined) return target
  const database = await createTestDatabase()
  cleanups.push(() => database.drop())
  return { ...target, databaseUrl: database.url }
}

async function makeBucket(): Promise<S3Settings | undefined> {
  if (!isOnS3) return undefined
  const { settings, stop } = await startS3()
  cleanups.push(stop)
  return settings
}

const restore = (target: Config, from = folder) => runTestCommand(target, app.clock, 'restore', from)

/** Starts a server on what was restored, with a client that has the user's session. */
async function openRestored(
  target: Config,
): Promise<{ client: TestClient; services: Services; server: FastifyInstance }> {
  const services = await createServices(target, { clock: app.clock, log: pino({ level: 'silent' }) })
  registerJobs(services)
  const server = await createApp(services)
  cleanups.push(async () => {
    await server.close()
    await closeServices(services)
  })
  return { client: new TestClient(server, user.token), services, server }
}

const WITHIN = { timeout: 10_000 }

const contentOf = async (client: TestClient, filename: string, folderId?: string) =>
  (await client.raw(fetchFile, { filename, folderId })).bytes

const countCopied = (printed: string[]) => Number(/copied (\d+)/.exec(printed.join())?.[1])

describe('backup and restore', () => {
  it('finishes deleting an account whose deletion was in progress during the backup', async () => {
    const names = Array.from({ length: BATCH_SIZE + 1 }, (_unused, index) => `${index}.txt`)
    const ids = await addManyItems(app.services, { ownerId: user.id, names })
    const keys = await app.services.db.selectFrom('items').select('blob_key').where('id', 'in', ids).execute()
    for (const { blob_key } of keys) await app.services.blobs.writeWhole(blob_key as string, Buffer.from('x'))
    expect((await user.client.call(deleteAccount, {})).status).toBe(200)
    expect(await backup()).toMatchObject({ code: 0 })
    // Deletes the account here, so that it doesn't affect other tests.
    await vi.waitFor(async () => {
      await app.services.jobs.runDue()
      expect(await countRows(app.services.db, user.id)).toEqual({})
      expect(await app.services.db.selectFrom('blob_removals').selectAll().execute()).toEqual([])
    }, WITHIN)

    const target = await createTarget()
    expect(await restore(target)).toMatchObject({ code: 0 })
    expect(await runTestCommand(target, app.clock, 'verify')).toMatchObject({ code: 0 })
    const { services, client } = await openRestored(target)
    expect((await client.call(listItems, {})).status).toBe(401)
    // The server may have taken the job when the backup was made. It is due again when that attempt has timed out.
    await services.db.updateTable('jobs').set({ run_at: 0 }).execute()
    await services.jobs.runDue()
    expect(await countRows(services.db, user.id)).toEqual({})
  })

  it('restores and verifies every account, folder, file and session in an empty target', async () => {
    const trip = await makeFolder('Trip')
    const [large, small] = [randomBytes(150_000), randomBytes(500)]
    await store('large.bin', large, { parentFolderId: trip.id })
    await store('small.bin', small, { lastModified: '2011-05-06T07:08:09.123Z' })
    await store('empty', '')
    const exact = ['Empty', 'empty ', ' empty', 'שלום 🏔️ ']
    for (const name of exact) await store(name, '')
    await store('sealed.bin', 'sealed', { isEncrypted: true })
    const versioned = await store('versioned.bin', randomBytes(140_000), { lastModified: '2012-01-02T03:04:05.006Z' })
    await store('versioned.bin', 'second', { onConflict: 'replace' })
    const history = (await user.client.call(listVersions, { id: versioned.id })).body.versions
    await user.client.call(renameVersion, { id: versioned.id, versionId: history[0]?.id as string, name: 'kept' })
    await user.client.sendChunk(
      { uploadId: crypto.randomUUID(), filename: 'half', chunkIndex: 0, totalChunks: 2, totalSize: 9 },
      'abcde',
    )
    expect(await backup()).toMatchObject({ code: 0 })
    expect((await stat(join(folder, 'alcove-backup.json'))).mode & 0o077).toBe(0)
    const tables = (await readdir(folder)).find((name) => name.startsWith('tables-')) as string
    expect((await stat(join(folder, tables, 'secret'))).mode & 0o777).toBe(0o600)

    const target = await createTarget()
    const restored = await restore(target)
    expect(restored).toMatchObject({ code: 0 })
    expect(restored.printed.at(-1)).toBe('Restored the backup of 2026-01-15T12:00:00.000Z. No faults found.')
    const { client, services } = await openRestored(target)
    expect((await contentOf(client, 'large.bin', trip.id)).equals(large)).toBe(true)
    expect((await contentOf(client, 'small.bin')).equals(small)).toBe(true)
    expect((await client.call(listItems, { vault: true })).body.items).toHaveLength(1)
    expect((await client.call(listItems, {})).body.items).toContainEqual(
      expect.objectContaining({ name: 'small.bin', modifiedAt: '2011-05-06T07:08:09.123Z' }),
    )
    const names = (await client.call(listItems, {})).body.items.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining([...exact, 'empty']))
    const [self] = await services.db.selectFrom('users').selectAll().where('id', '=', user.id).execute()
    expect(self).toMatchObject({ used_bytes: 290_512, version_bytes: 140_000, reserved_bytes: 0 })
    const [version] = (await client.call(listVersions, { id: versioned.id })).body.versions
    expect(version).toMatchObject({ size: 140_000, name: 'kept', modifiedAt: '2012-01-02T03:04:05.006Z' })
    await client.call(restoreVersion, { id: versioned.id, versionId: version?.id as string })
    expect(await contentOf(client, 'versioned.bin')).toHaveLength(140_000)
    const pending = await services.db.selectFrom('search_pending').select('name').execute()
    expect(pending.map(({ name }) => name)).toContain('large.bin')
    // The restored server accepts uploads.
    expect(await client.upload('new.txt', 'new')).toMatchObject({ filename: 'new.txt' })
  })

  it('restores a shared folder that a member has placed in their files', async () => {
    const shared = await makeFolder('Shared')
    await store('a.txt', 'hello', { folderId: shared.id })
    const member = await addTestMember(app, user, shared.id, 'editor')
    const placed = await member.client.call(placeSharedFolder, { memberId: member.memberId })
    expect(placed.status).toBe(200)
    expect(await backup()).toMatchObject({ code: 0 })
    const target = await createTarget()
    expect(await restore(target)).toMatchObject({ code: 0 })
    const { server } = await openRestored(target)
    const { items } = (await new TestClient(server, member.token).call(listItems, {})).body
    expect(items).toEqual([expect.objectContaining({ id: placed.body.id, name: 'Shared' })])
  })

  it('keeps every earlier file while others are uploaded and deleted during the backup', async () => {
    const before = new Map<string, Buffer<ArrayBuffer>>()
    for (let index = 0; index < 20; index++) {
      const content = randomBytes(index % 2 === 0 ? 90_000 : 900)
      before.set(`before-${index}.bin`, content)
      await store(`before-${index}.bin`, content)
    }
    let isOver = false
    const uploading = (async () => {
      for (let index = 0; !isOver && index < 40; index++) await store(`during-${index}.bin`, randomBytes(160_000))
    })()
    const deleting = (async () => {
      // The server keeps running during the backup.
      await waitForSnapshot()
      for (const item of (await user.client.call(listItems, { limit: 200 })).body.items) {
        if (isOver || !item.name.startsWith('before-')) continue
        await trashAndDelete(item.id)
        await app.services.jobs.runDue()
      }
    })()
    const made = await backup()
    isOver = true
    await Promise.all([uploading, deleting])
    expect(made).toMatchObject({ code: 0, printed: [expect.stringContaining('Backed up to')] })

    const target = await createTarget()
    expect(await restore(target)).toMatchObject({ code: 0 })
    const { client } = await openRestored(target)
    for (const [name, content] of before) expect((await contentOf(client, name)).equals(content), name).toBe(true)
    // Removals that were paused run now.
    await app.services.jobs.runDue()
    expect(await app.services.db.selectFrom('blob_removals').select('blob_key').execute()).toEqual([])
    expect(await runTestCommand(app.services.config, app.clock, 'verify')).toMatchObject({ code: 0 })
  })

  it('copies only new blobs in a later backup, and removes deleted ones', async () => {
    const [first] = [await store('first.bin', randomBytes(160_000)), await store('b.txt', 'b')]
    await backup()
    await store('second.bin', randomBytes(160_000))
    expect(countCopied((await backup()).printed)).toBe(1)
    expect(countCopied((await backup()).printed)).toBe(0)
    const { key } = await blobOf(first.id)
    const copy = blobPath(folder, key)
    expect((await stat(copy)).size).toBe(160_000)
    await trashAndDelete(first.id)
    await app.services.jobs.runDue()
    expect(countCopied((await backup()).printed)).toBe(0)
    await expect(stat(copy)).rejects.toThrow('ENOENT')
    expect((await readdir(folder)).filter((name) => name.startsWith('tables-'))).toHaveLength(1)
    expect(await restore(await createTarget())).toMatchObject({ code: 0 })
  })

  it.runIf(process.env.ALCOVE_TEST_DATABASE === 'postgres')(
    'converts between PostgreSQL and SQLite in both directions',
    async () => {
      await store('a.bin', randomBytes(160_000))
      await store('b.txt', 'b')
      expect(await backup()).toMatchObject({ code: 0 })
      const onSqlite = { ...(await createTarget()), databaseUrl: undefined }
      expect(await restore(onSqlite)).toMatchObject({ code: 0 })
      const second = await makeDirectory()
      expect(await runTestCommand(onSqlite, app.clock, 'backup', second)).toMatchObject({ code: 0 })
      const onPostgres = await createTarget()
      expect(await restore(onPostgres, second)).toMatchObject({ code: 0 })
      const rowsOf = async ({ db }: Services) => {
        const [items, users, sessions, blobs] = await Promise.all([
          db.selectFrom('items').selectAll().orderBy('id').execute(),
          db.selectFrom('users').selectAll().orderBy('id').execute(),
          db.selectFrom('sessions').selectAll().orderBy('id').execute(),
          db.selectFrom('blobs').select(['key', 'size']).orderBy('key').execute(),
        ])
        return { items, users: users.map((row) => ({ ...row, reserved_bytes: 0 })), sessions, blobs }
      }
      const { client, services } = await openRestored(onPostgres)
      expect(await rowsOf(services)).toEqual(await rowsOf(app.services))
      expect(String(await contentOf(client, 'b.txt'))).toBe('b')
    },
  )

  it('names a damaged file in backup and restore, and keeps all others', async () => {
    const { id } = await store('damaged.bin', randomBytes(160_000))
    await store('whole.bin', 'whole')
    const { key } = await blobOf(id)
    await app.services.blobs.remove(key)
    const line = `${user.email}: /damaged.bin: its bytes are missing (blob ${key}).`
    const made = await backup()
    expect(made).toMatchObject({ code: 1, printed: [line, expect.stringContaining('Backed up')] })
    expect(made.errors.at(-1)).toBe('1 missing or damaged blob is not in the backup.')
    const target = await createTarget()
    const restored = await restore(target)
    expect(restored.code).toBe(1)
    expect(restored.printed).toContain(line)
    const { client } = await openRestored(target)
    expect(String(await contentOf(client, 'whole.bin'))).toBe('whole')
    await trashAndDelete(id)
    await app.services.jobs.runDue()
  })
})

describe('backup', () => {
  it('rejects a folder with other content or with backups of another Alcove', async () => {
    await writeFile(join(folder, 'holiday.jpg'), 'mine')
    expect(await backup()).toMatchObject({
      code: 1,
      errors: [`${folder} is not empty and not a backup of Alcove. Choose another folder.`],
    })
    expect(await readdir(folder)).toEqual(['holiday.jpg'])
    const other = await makeDirectory()
    const stranger = { ...app.services.config, secret: 'another secret altogether' }
    expect(await runTestCommand(stranger, app.clock, 'backup', other)).toMatchObject({ code: 0 })
    expect(await backup(other)).toMatchObject({
      code: 1,
      errors: [`${other} contains backups of another Alcove. Choose another folder.`],
    })
  })

  it("fails with one line if the folder can't be created", async () => {
    await writeFile(join(folder, 'file'), '')
    const { code, errors } = await backup(join(folder, 'file', 'inside'))
    expect([code, errors]).toEqual([1, [expect.stringMatching(/^ENOTDIR: not a directory, mkdir '.*inside'$/)]])
  })

  it('blocks removals and other backups for at most five minutes after being killed', async () => {
    const { id } = await store('a.bin', randomBytes(140_000))
    await app.services.db
      .insertInto('leases')
      .values({ name: 'removals dead', holder: 'dead', expires_at: app.clock.now() + 300_000 })
      .execute()
    await trashAndDelete(id)
    await app.services.jobs.runDue()
    const queued = () => app.services.db.selectFrom('blob_removals').select('blob_key').execute()
    expect(await queued()).toHaveLength(1)
    expect((await backup()).errors).toEqual([
      'Another backup is running, or was interrupted less than five minutes ago.',
    ])
    app.clock.advance(300_001)
    // A server does this every hour.
    await removeQueuedBlobs(app.services)
    expect(await queued()).toEqual([])
    expect(await backup()).toMatchObject({ code: 0 })
  })
})

describe('restore', () => {
  it('rejects an incomplete or damaged backup and a target that is not empty', async () => {
    const target = await createTarget()
    const incomplete = { code: 1, errors: [`${folder} contains no complete backup.`] }
    expect(await restore(target)).toMatchObject(incomplete)
    await store('a.bin', randomBytes(140_000))
    expect(await backup()).toMatchObject({ code: 0 })
    const manifest = await readFile(join(folder, 'manifest.json'), 'utf8')
    await rm(join(folder, 'manifest.json'))
    expect(await restore(target)).toMatchObject(incomplete)

    await writeFile(join(folder, 'manifest.json'), manifest.replace(/"migration": "[^"]+"/, '"migration": "999-later"'))
    expect((await restore(target)).errors[0]).toContain(`was made by version ${version}, which is newer than this one`)
    await writeFile(join(folder, 'manifest.json'), manifest.slice(0, -20))
    expect((await restore(target)).errors[0]).toContain("contains a backup that this version can't read")
    await writeFile(join(folder, 'manifest.json'), manifest)

    const items = join(folder, JSON.parse(manifest).folder, 'items.ndjson.gz')
    const bytes = await readFile(items)
    await writeFile(items, bytes.subarray(0, -9))
    expect((await restore(target)).errors[0]).toBe(`${folder} is damaged: the table items was changed.`)
    await writeFile(items, bytes)
    expect(await readdir(target.dataDir)).toEqual([])

    await writeFile(join(target.dataDir, 'mine'), '')
    expect((await restore(target)).errors[0]).toContain('is not empty. Restore a backup into an empty data')
    await rm(join(target.dataDir, 'mine'))
    const other = { ...target, secret: 'another secret altogether' }
    expect((await restore(other)).errors[0]).toContain('ALCOVE_SECRET differs from the secret of the backup')
    if (target.databaseUrl !== undefined) {
      const used = { ...target, databaseUrl: app.services.config.databaseUrl }
      expect((await restore(used)).errors[0]).toContain('The database is not empty')
    }
    if (isOnS3) {
      const used = { ...target, s3: app.services.config.s3 }
      expect((await restore(used)).errors[0]).toContain('The bucket is not empty')
      await rm(target.dataDir, { recursive: true })
    }
    expect(await restore(target)).toMatchObject({ code: 0 })
  })

  it('names the files that are damaged in the backup, and restores all others', async () => {
    const { id } = await store('a.bin', randomBytes(140_000))
    await store('b.bin', 'b')
    await backup()
    const { key } = await blobOf(id)
    await writeFile(blobPath(folder, key), randomBytes(140_000))
    const target = await createTarget()
    expect(await restore(target)).toMatchObject({
      code: 1,
      printed: expect.arrayContaining([
        'Blobs that are missing or damaged in the backup: 1.',
        `${user.email}: /a.bin: its bytes are missing (blob ${key}).`,
      ]),
    })
    expect(String(await contentOf((await openRestored(target)).client, 'b.bin'))).toBe('b')
  })
})

/** Waits until the first table has been written. From then on the snapshot doesn't change. */
async function waitForSnapshot(): Promise<void> {
  for (;;) {
    const [tables] = (await readdir(folder)).filter((name) => name.startsWith('tables-'))
    if (tables && (await readdir(join(folder, tables))).includes('users.ndjson.gz')) return
    await wait(1)
  }
}
