import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { getBackups, scheduleBackups, startBackup, startVerification } from '@alcove/contract/admin-backups'
import { listAuditLog } from '@alcove/contract/audit'
import { setUp } from '@alcove/contract/setup'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BlobArchive } from '../../../platform/blobs/blob-replica.ts'
import type { TestClient } from '../../../testing/clients/client.ts'
import { runTestCommand } from '../../../testing/clients/operator.ts'
import { clientAt } from '../../../testing/clients/over-http.ts'
import { type ServerProcess, startServerProcess } from '../../../testing/engines/server-process.ts'
import { app, setUpDrive, trashAndDelete, user } from '../../../testing/factories/drive.ts'
import { blobOf, blobPath } from '../../../testing/factories/stored-blob.ts'
import { TEST_PASSWORD } from '../../../testing/factories/users.ts'
import { isDue } from './backup-schedule.ts'

setUpDrive()

/** Processes take some time to start. */
const WITHIN = { timeout: 25_000 }

let folder: string
let admin: TestClient
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'alcove-backups-'))
  admin = (await app.createUser({ isAdmin: true })).client
  await app.services.db.deleteFrom('backup_runs').execute()
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const read = async () => (await admin.call(getBackups, {})).body
const run = (...command: string[]) => runTestCommand(app.services.config, app.clock, ...command)

/** Returns what the audit log says about backups, newest first. */
async function listNoted() {
  const { entries } = (await admin.call(listAuditLog, {})).body
  return entries.filter(({ action, target }) => action.startsWith('backup.') && target === folder)
}

describe('what commands record', () => {
  it('notes backups and verifications in the audit log, but not what was refused', async () => {
    const now = app.clock.now()
    const running = { id: randomUUID(), folder, server: 'here', began_at: now, updated_at: now, done_bytes: 0 }
    const { db } = app.services
    await db
      .insertInto('backup_runs')
      .values({ ...running, kind: 'backup' })
      .execute()
    expect(await run('backup', folder)).toMatchObject({ code: 1 })
    expect(await listNoted()).toEqual([])
    await db.deleteFrom('backup_runs').execute()
    expect(await run('backup', folder)).toMatchObject({ code: 0 })
    expect(await run('verify-backup', folder)).toMatchObject({ code: 0 })
    const by = { actor: userInfo().username, via: 'command', ip: null }
    expect(await listNoted()).toMatchObject([
      { ...by, action: 'backup.verify' },
      { ...by, action: 'backup.start' },
    ])
  })

  it('shows a backup that “alcove backup” has made, and one that failed', async () => {
    await user.client.upload('a.bin', randomBytes(190_000))
    expect(await read()).toMatchObject({ folder: null, every: 'never', lastBackup: null, runs: [] })
    expect(await run('backup', folder)).toMatchObject({ code: 0 })
    const { lastBackup } = await read()
    expect(lastBackup).toMatchObject({ kind: 'backup', state: 'done', folder, error: null })
    expect(lastBackup?.totalBytes).toBeGreaterThanOrEqual(190_000)
    expect(lastBackup?.copiedBytes).toBe(lastBackup?.totalBytes)
    app.clock.advance(1000)
    expect(await run('backup', app.dataDir)).toMatchObject({ code: 1 })
    const { runs, lastBackup: same } = await read()
    expect(runs[0]).toMatchObject({ state: 'failed', error: expect.stringContaining('is not empty and not a backup') })
    expect(same?.id).toBe(lastBackup?.id)
  })

  it('shows a backup as done that lacks damaged bytes, and says so', async () => {
    const { id } = await user.client.upload('a.bin', randomBytes(190_000))
    await app.services.blobs.remove((await blobOf(id as string)).key)
    expect(await run('backup', folder)).toMatchObject({ code: 1 })
    expect((await read()).lastBackup).toMatchObject({
      state: 'done',
      error: expect.stringContaining('not in the backup'),
    })
    // What the backup says itself isn't a fault of it.
    expect(await run('verify-backup', folder)).toMatchObject({ code: 0 })
    await trashAndDelete(id as string)
    await app.services.jobs.runDue()
  })

  it('refuses a second backup while one runs, and takes over from one that was interrupted', async () => {
    const now = app.clock.now()
    const open = {
      id: randomUUID(),
      kind: 'backup' as const,
      folder,
      server: 'here',
      began_at: now,
      updated_at: now,
      done_bytes: 7,
    }
    await app.services.db.insertInto('backup_runs').values(open).execute()
    expect((await read()).runs).toMatchObject([{ state: 'running', doneBytes: 7 }])
    expect((await run('backup', folder)).errors[0]).toContain('Another backup is running')
    app.clock.advance(300_001)
    expect((await read()).runs).toMatchObject([{ state: 'failed', error: 'It was interrupted.' }])
    expect(await run('backup', folder)).toMatchObject({ code: 0 })
    expect((await read()).runs.map(({ state }) => state)).toEqual(['done', 'failed'])
  })
})

describe('alcove verify-backup', () => {
  it('confirms that a backup can be restored, and leaves nothing behind', async () => {
    await user.client.upload('a.bin', randomBytes(190_000))
    await user.client.upload('small.txt', 'small', { totalSize: 5 })
    expect(await run('backup', folder)).toMatchObject({ code: 0 })
    await writeFile(join(folder, 'ignored'), '')
    const before = await readdir(app.dataDir)
    const { code, printed } = await run('verify-backup', folder)
    expect([code, printed.at(-1)]).toEqual([0, expect.stringMatching(/can be restored: \d+ blobs.*No faults found\.$/)])
    expect(await readdir(app.dataDir)).toEqual(before)
    expect((await read()).lastVerification).toMatchObject({
      state: 'done',
      madeAt: new Date(app.clock.now()).toISOString(),
    })
  })

  it('finds changed, short and missing bytes, and a changed table', async () => {
    const { id } = await user.client.upload('a.bin', randomBytes(190_000))
    const { id: smallId } = await user.client.upload('small.txt', 'small', { totalSize: 5 })
    expect(await run('backup', folder)).toMatchObject({ code: 0 })
    const path = blobPath(folder, (await blobOf(id as string)).key)
    const bytes = await readFile(path)
    const fails = async (expected: string) => {
      const { code, printed, errors } = await run('verify-backup', folder)
      expect([code, [...printed, ...errors].join('\n')]).toEqual([1, expect.stringContaining(expected)])
    }
    await writeFile(path, Buffer.from(bytes).fill((bytes[100] as number) ^ 1, 100, 101))
    await fails('its bytes are not those that were stored')
    await writeFile(path, bytes.subarray(1))
    await fails('it has 189999 bytes instead of 190000')
    await rm(path)
    await fails('its bytes are missing')
    await writeFile(path, bytes)
    const archive = new BlobArchive(folder)
    await archive.prune(async (keys) => new Set(keys.filter((key) => path.endsWith(key))))
    await archive.close()
    await fails(`Blob ${(await blobOf(smallId as string)).key}: its bytes are missing.`)

    const { folder: tables } = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'))
    await writeFile(join(folder, tables, 'items.ndjson.gz'), 'x')
    await fails('the table items was changed')
    const { runs, lastVerification } = await read()
    expect(lastVerification).toBeNull()
    expect(runs.filter(({ state }) => state === 'failed')).toHaveLength(5)
  })
})

describe('backups that administrators start', () => {
  let server: ServerProcess | undefined
  afterEach(async () => {
    await server?.stop()
    server = undefined
  })

  /** Starts a server with an administrator, and returns a client of the administrator. */
  async function startServer(backupDir: string): Promise<TestClient> {
    const own = await startServerProcess({ ALCOVE_BACKUP_DIR: backupDir })
    server = own
    const readToken = () => /setup#([\w-]+)/.exec(own.output())?.[1]
    await expect.poll(readToken).toBeDefined()
    const account = { email: 'operator@example.com', password: TEST_PASSWORD }
    const { body } = await clientAt(own.url).call(setUp, { token: readToken() as string, ...account })
    return clientAt(own.url, body.token)
  }

  it('makes and verifies a backup in processes of their own, and notes who wanted it', {
    timeout: 90_000,
  }, async () => {
    admin = await startServer(folder)
    expect((await admin.call(startBackup, {})).status).toBe(200)
    await expect.poll(async () => (await read()).lastBackup?.state, WITHIN).toBe('done')
    expect(await readdir(folder)).toContain('manifest.json')
    expect((await admin.call(startVerification, {})).status).toBe(200)
    await expect.poll(async () => (await read()).lastVerification?.state, WITHIN).toBe('done')
    const by = { actor: 'operator@example.com', via: 'session', target: folder }
    expect(await listNoted()).toMatchObject([
      { ...by, action: 'backup.verify' },
      { ...by, action: 'backup.start' },
    ])
  })

  it('shows why a backup failed', { timeout: 60_000 }, async () => {
    await writeFile(join(folder, 'mine.txt'), '')
    admin = await startServer(folder)
    await admin.call(startBackup, {})
    await expect.poll(async () => (await read()).runs[0]?.state, WITHIN).toBe('failed')
    expect((await read()).runs[0]?.error).toContain('is not empty and not a backup of Alcove')
  })

  it('says which setting is missing', async () => {
    for (const call of [startBackup, startVerification]) {
      expect(await admin.call(call, {})).toMatchObject({
        status: 409,
        body: { error: expect.stringContaining('ALCOVE_BACKUP_DIR') },
      })
    }
  })

  it('keeps the schedule that an administrator sets, and notes it once', async () => {
    for (let time = 0; time < 2; time++) await admin.call(scheduleBackups, { every: 'daily' })
    expect((await read()).every).toBe('daily')
    const { entries } = (await admin.call(listAuditLog, {})).body
    expect(entries.filter(({ action }) => action === 'backup.schedule')).toMatchObject([
      { details: { before: 'never', after: 'daily' } },
    ])
    await admin.call(scheduleBackups, { every: 'never' })
  })
})

it('makes a backup once a night, and by day only if nights are missed', () => {
  const [hour, day] = [3_600_000, 24 * 3_600_000]
  expect(isDue(Number.POSITIVE_INFINITY, day, 12)).toBe(true)
  expect(isDue(day, day, 2)).toBe(true)
  expect(isDue(21 * hour, day, 1)).toBe(true)
  expect(isDue(2 * hour, day, 4)).toBe(false)
  expect(isDue(30 * hour, day, 12)).toBe(false)
  expect(isDue(37 * hour, day, 12)).toBe(true)
  expect(isDue(2 * day, 7 * day, 2)).toBe(false)
})
