import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { listActivity } from '@alcove/contract/activity'
import { listItems } from '@alcove/contract/item-calls'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createBlobKey } from '../../platform/blobs/blob-store.ts'
import { DiskBlobStore } from '../../platform/blobs/disk-blob-store.ts'
import { environmentOf, runTestCommand } from '../../testing/clients/operator.ts'
import { spawnOperator } from '../../testing/clients/operator-process.ts'
import {
  app,
  download,
  listIn,
  namesIn,
  setUpDrive,
  switchToNewUser,
  trash,
  usedBytes,
  user,
} from '../../testing/factories/drive.ts'
import { storeDiskFile } from './disk-file.ts'

setUpDrive()

let tree: string
beforeEach(async () => {
  tree = await mkdtemp(join(tmpdir(), 'alcove-import-'))
})
afterEach(() => rm(tree, { recursive: true, force: true }))

const runImport = (...given: string[]) =>
  runTestCommand(app.services.config, app.clock, 'import', user.email, tree, ...given)

const verify = () => runTestCommand(app.services.config, app.clock, 'verify')

/** Writes a file with a date, in seconds since 1970, and the folders around it. */
async function put(path: string, content: string | Buffer, date = 1_500_000_000): Promise<void> {
  await mkdir(join(tree, path, '..'), { recursive: true })
  await writeFile(join(tree, path), content)
  await utimes(join(tree, path), date, date)
}

async function folderAt(...names: string[]): Promise<string | undefined> {
  let id: string | undefined
  for (const name of names) id = (await listIn(id)).find((item) => item.name === name)?.id
  return id
}

describe('an import', () => {
  it('copies files and folders with their dates and bytes, and counts them', async () => {
    const large = randomBytes(300_000)
    await put('notes.txt', 'some notes', 1_234_567_890.123)
    await put('Photos/2019/beach.jpg', large)
    await put('Photos/2019/empty', '')
    await mkdir(join(tree, 'nothing here'))
    const { code, printed, errors } = await runImport()
    expect([code, errors]).toEqual([0, []])
    expect(printed[0]).toMatch(/^Imported: 3 files, 292\.98 KB in /)
    expect(await namesIn()).toEqual(['nothing here', 'Photos', 'notes.txt'])
    const [notes] = (await listIn()).filter(({ name }) => name === 'notes.txt')
    expect(notes).toMatchObject({ size: 10, modifiedAt: '2009-02-13T23:31:30.123Z' })
    const year = await folderAt('Photos', '2019')
    expect(await namesIn(year)).toEqual(['beach.jpg', 'empty'])
    expect((await download('beach.jpg', year)).equals(large)).toBe(true)
    expect(await usedBytes()).toBe(300_010)
    expect(await verify()).toMatchObject({ code: 0 })
  })

  it('puts everything into the folder of --into, which it creates', async () => {
    await put('a.txt', 'a')
    await mkdir(join(tree, 'empty'))
    expect(await runImport('--into', '/Old disk/e\u0301/')).toMatchObject({ code: 0 })
    expect(await namesIn(await folderAt('Old disk', '\u00e9'))).toEqual(['empty', 'a.txt'])
    const { code, errors } = await runImport('--into', 'a/../b')
    expect([code, errors]).toEqual([1, ['--into: A name cannot be "." or "..".']])
  })

  it('imports a tree in which each file has a folder of its own', async () => {
    // Each folder takes several statements, so one transaction doesn't create all of them.
    for (let index = 0; index < 300; index++) await put(`${index % 10}/${index}/file.txt`, String(index))
    const { code, printed } = await runImport()
    expect([code, printed]).toEqual([0, [expect.stringMatching(/^Imported: 300 files, /)]])
    for (const index of [0, 123, 299]) {
      expect(await namesIn(await folderAt(String(index % 10), String(index)))).toEqual(['file.txt'])
    }
    expect(await verify()).toMatchObject({ code: 0 })
  })

  it('leaves alone what is there already, and adds what is new', async () => {
    await put('a.txt', 'a')
    await put('big.bin', randomBytes(100_000))
    await runImport()
    await put('b.txt', 'bb')
    const { code, printed } = await runImport()
    expect(code).toBe(0)
    expect(printed).toEqual([
      expect.stringMatching(/^Imported: 1 file, 2 bytes in /),
      expect.stringMatching(/^Already there: 2 files, /),
    ])
    expect(await namesIn()).toEqual(['a.txt', 'b.txt', 'big.bin'])
    expect(await usedBytes()).toBe(100_003)
  })

  it('never replaces a file with other contents', async () => {
    await user.client.upload('a.txt', 'mine')
    await put('a.txt', 'another')
    const { code, printed } = await runImport()
    expect(code).toBe(1)
    expect(printed.slice(1)).toEqual(['Skipped: 1.', '  a.txt: another file with this name is there'])
    expect((await download('a.txt')).toString()).toBe('mine')
  })

  it('imports again what its user has moved to the trash', async () => {
    await put('a.txt', 'a')
    await runImport()
    await trash((await listIn())[0]?.id as string, 'file')
    expect(await runImport()).toMatchObject({ code: 0 })
    expect(await namesIn()).toEqual(['a.txt'])
  })

  it('reports links, special files and names that cannot be stored, and imports the rest', async () => {
    await put('ok.txt', 'ok')
    await symlink('/etc/passwd', join(tree, 'passwd'))
    await symlink('..', join(tree, 'loop'))
    spawnSync('mkfifo', [join(tree, 'fifo')])
    await writeFile(Buffer.concat([Buffer.from(`${tree}/bad`), Buffer.from([0xff])]), 'x')
    await put('control\u0001.txt', 'x')
    await put('e\u0301.txt', 'first')
    await put('\u00e9.txt', 'second one')
    const reportPath = join(app.dataDir, 'report.txt')
    const { code, printed, errors } = await runImport('--report', reportPath)
    expect([code, errors]).toEqual([
      1,
      ['Some paths were skipped. To import them, fix what is said above and run the command again.'],
    ])
    expect(printed[1]).toBe('Skipped: 6.')
    const skipped = printed.slice(2).map((line) => line.slice(2))
    expect(skipped.map((line) => line.normalize('NFC')).toSorted()).toEqual(
      [
        'bad\ufffd: its name is not UTF-8',
        'control\u0001.txt: a name cannot contain control characters',
        'fifo: it is a special file',
        'loop: symbolic links are not imported',
        'passwd: symbolic links are not imported',
        '\u00e9.txt: another file with this name is there',
      ].toSorted(),
    )
    expect((await readFile(reportPath, 'utf8')).trim().split('\n')).toEqual(skipped)
    expect(await namesIn()).toEqual(['\u00e9.txt', 'ok.txt'])
    expect(await verify()).toMatchObject({ code: 0 })
  })

  it.runIf(process.platform === 'linux' && process.getuid?.() !== 0)('reports what it may not read', async () => {
    await put('secret/a.txt', 'a')
    spawnSync('chmod', ['0', join(tree, 'secret')])
    expect((await runImport()).printed).toContain('  secret: permission denied')
    spawnSync('chmod', ['700', join(tree, 'secret')])
  })

  it('skips folders that are too deep', async () => {
    await put(`${'d/'.repeat(127)}deep.txt`, 'deep')
    await put(`${'d/'.repeat(128)}deeper.txt`, 'deeper')
    const { code, printed } = await runImport()
    expect(code).toBe(1)
    expect(printed[0]).toMatch(/^Imported: 1 file/)
    expect(printed[2]).toMatch(/: folders can be nested at most 128 levels deep$/)
  })

  it('stops when the storage is full, and says how much is missing', async () => {
    await switchToNewUser({})
    const { allocated_bytes } = await app.services.db
      .selectFrom('users')
      .select('allocated_bytes')
      .where('id', '=', user.id)
      .executeTakeFirstOrThrow()
    await app.services.db
      .updateTable('users')
      .set({ reserved_bytes: allocated_bytes - 250_000 })
      .where('id', '=', user.id)
      .execute()
    for (let index = 0; index < 5; index++) await put(`${index}.bin`, randomBytes(100_000))
    const { code, printed, errors } = await runImport()
    expect(code).toBe(1)
    expect(printed[0]).toMatch(/^Imported: 2 files/)
    expect(errors).toEqual([
      `The storage of ${user.email} is full: 3 files, 292.97 KB were not imported. They need 292.97 KB, and 48.83 KB is free.`,
    ])
    expect(await usedBytes()).toBe(200_000)
    await app.services.db.updateTable('users').set({ reserved_bytes: 0 }).where('id', '=', user.id).execute()
    expect(await runImport()).toMatchObject({ code: 0 })
    expect(await verify()).toMatchObject({ code: 0 })
  })

  it('stops at the limit of items', async () => {
    await app.services.db
      .updateTable('users')
      .set({ item_count: app.services.config.maxItems.paid - 2 })
      .where('id', '=', user.id)
      .execute()
    for (let index = 0; index < 5; index++) await put(`${index}.txt`, String(index))
    const { code, printed, errors } = await runImport()
    expect(code).toBe(1)
    expect(printed[0]).toMatch(/^Imported: 2 files/)
    expect(errors).toEqual([
      `${user.email} has as many files and folders as the plan allows: 3 files, 3 bytes were not imported.`,
    ])
    await app.services.db.updateTable('users').set({ item_count: 2 }).where('id', '=', user.id).execute()
  })

  it("refuses what isn't a readable folder, and skips Alcove's own data", async () => {
    const { code, errors } = await runTestCommand(app.services.config, app.clock, 'import', user.email, '/nowhere')
    expect([code, errors]).toEqual([1, [expect.stringMatching(/^\/nowhere can't be read: ENOENT/)]])
    await mkdir(join(tree, 'alcove/data'), { recursive: true })
    await rename(app.dataDir, join(tree, 'alcove/moved'))
    try {
      await symlink(join(tree, 'alcove/moved'), app.dataDir)
      await put('a.txt', 'a')
      expect((await runImport()).printed).toContain("  alcove/moved: it is Alcove's data folder")
    } finally {
      await rm(app.dataDir)
      await rename(join(tree, 'alcove/moved'), app.dataDir)
    }
  })

  it('appears in the list of activities as done by the server', async () => {
    for (let index = 0; index < 7; index++) await put(`Photos/${index}.txt`, String(index))
    await runImport()
    const { body } = await user.client.call(listActivity, {})
    const added = { action: 'added', actor: expect.objectContaining({ kind: 'server' }) }
    expect(body.activities).toEqual([
      expect.objectContaining({ ...added, count: 7 }),
      expect.objectContaining({ ...added, count: 1, folderCount: 1 }),
    ])
  })

  it('continues after it was killed at any moment, without doubles', async () => {
    for (let index = 0; index < 3000; index++) {
      await put(`${index % 30}/${index}.bin`, index % 10 === 0 ? randomBytes(70_000) : String(index))
    }
    const environment = environmentOf(app.services.config)
    for (let round = 0; round < 3; round++) {
      const child = spawnOperator(environment, 'import', user.email, tree)
      const ended = once(child, 'exit')
      const before = await usedBytes()
      // Until it has committed something, or has ended.
      while (child.exitCode === null && (await usedBytes()) === before) await wait(5)
      await wait(round * 20)
      child.kill('SIGKILL')
      await ended
      expect(await verify()).toMatchObject({ code: 0 })
    }
    expect(await runImport()).toMatchObject({ code: 0 })
    const { body } = await user.client.call(listItems, { folderId: await folderAt('7') })
    expect(body.items).toHaveLength(100)
    expect(await verify()).toMatchObject({ code: 0 })
  }, 120_000)
})

describe('a file that is copied', () => {
  /** A store during whose copy something else happens. */
  class BusyStore extends DiskBlobStore {
    meanwhile: () => Promise<unknown> = async () => {}

    override async copyFile(...given: Parameters<DiskBlobStore['copyFile']>): Promise<number> {
      await this.meanwhile()
      return super.copyFile(...given)
    }
  }

  async function copy(path: string, meanwhile: () => Promise<unknown>) {
    const root = await mkdtemp(join(tmpdir(), 'alcove-copy-'))
    const blobs = new BusyStore(root)
    blobs.meanwhile = meanwhile
    try {
      return await storeDiskFile({ path, blobs, blobKey: createBlobKey(), onBytes: () => {} })
    } finally {
      await blobs.close()
      await rm(root, { recursive: true })
    }
  }

  it('is skipped if it changes meanwhile', async () => {
    await put('growing.log', randomBytes(100_000))
    const path = join(tree, 'growing.log')
    await expect(copy(path, () => writeFile(path, 'more', { flag: 'a' }))).rejects.toThrow(
      'it changed while it was copied',
    )
  })

  it.runIf(process.platform === 'linux')('is the opened one, even if a link takes its place', async () => {
    await put('own.bin', randomBytes(100_000))
    const path = join(tree, 'own.bin')
    const stored = await copy(path, async () => {
      await rm(path)
      await symlink('/etc/passwd', path)
    }).catch((error: Error) => error.message)
    // The removal changes the file's number of links, and with it its time of change.
    expect(stored).toBe('it changed while it was copied')
    await expect(copy(path, async () => {})).rejects.toThrow('symbolic links are not imported')
  })

  it.runIf(process.platform === 'linux')('is skipped if a folder above it was exchanged for a link', async () => {
    await put('inside/a.txt', 'a')
    await rename(join(tree, 'inside'), join(tree, 'elsewhere'))
    await symlink('elsewhere', join(tree, 'inside'))
    await expect(copy(join(tree, 'inside/a.txt'), async () => {})).rejects.toThrow('it was moved while it was read')
    expect(await readdir(join(tree, 'elsewhere'))).toEqual(['a.txt'])
  })
})
