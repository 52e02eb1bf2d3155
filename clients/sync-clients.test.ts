import { randomBytes, randomInt } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serveNewerClient } from './newer-client.ts'
import { type ServedAccount, serveAccount } from './served-account.ts'
import { SyncClient, syncPrograms } from './sync-client.ts'

/** Of both devices together, in 500 folders. */
const TREE = { files: 5_000, folders: 250, size: 1_000 }
const ODD_FILES = 200
const ROUNDS = 4
/** The changes that a device makes at a time, 16 times: those of an hour in which somebody works a lot. */
const EDITS = 30
const MANY = 300
const ODD_NAMES = [
  'ümlaut é 日本.txt',
  'a & b <c>.txt',
  '50% #1.txt',
  "it's; a=b,c.txt",
  'emoji 🌻.txt',
  '~tilde+plus.txt',
]

/** Makes files with odd names, dates and an empty folder. */
async function makeOddFiles(folder: string, name: string): Promise<void> {
  for (let file = 0; file < ODD_FILES; file++) {
    const inside = join(folder, name, `folder ${file % 20}`, `deeper ${file % 3}`)
    await mkdir(inside, { recursive: true })
    const path = join(inside, `file ${file}.txt`)
    await writeFile(path, `${name} ${file}\n`.repeat(file + 1))
    await utimes(path, 1_300_000_000 + file * 60, 1_300_000_000 + file * 60)
  }
  for (const odd of ODD_NAMES) await writeFile(join(folder, name, odd), odd)
  await mkdir(join(folder, name, 'empty'))
}

/** Makes random changes below a folder: new, longer, renamed, moved and deleted files and folders. */
async function edit(folder: string, label: string): Promise<void> {
  for (let step = 0; step < EDITS; step++) {
    const entries = await readdir(folder, { withFileTypes: true, recursive: true })
    const paths = (isFile: boolean) =>
      entries.filter((entry) => entry.isFile() === isFile).map(({ parentPath, name }) => join(parentPath, name))
    const pick = <T>(values: readonly T[]) => values[randomInt(values.length)] as T
    const files = paths(true)
    const folders = [folder, ...paths(false)]
    const fresh = join(pick(folders), `${label} ${step} ${randomInt(1000)}`)
    const change = files.length < 5 ? 0 : randomInt(7)
    if (change <= 1) await writeFile(fresh, randomBytes(randomInt(20_000)))
    else if (change === 2) await mkdir(fresh)
    // Clients notice a change by its size or its second.
    else if (change === 3) await writeFile(pick(files), randomBytes(20_000 + randomInt(1_000_000)))
    else if (change === 4) await rename(pick(files), fresh)
    else if (change === 5) await rm(pick(files))
    else {
      const moved = pick(folders)
      if (moved !== folder && !fresh.startsWith(`${moved}/`)) await rename(moved, fresh)
    }
  }
}

describe.each(syncPrograms)('%s', (program) => {
  let account: ServedAccount
  let first: SyncClient
  let second: SyncClient
  beforeAll(async () => {
    account = await serveAccount()
    first = await SyncClient.create(program, account, 'first')
    second = await SyncClient.create(program, account, 'second')
  })
  afterAll(() => account.close())

  /** Synchronizes both clients until each has seen what the other one did. */
  async function settle(): Promise<Record<string, string>> {
    for (const client of [first, second, first]) await client.sync()
    const tree = await first.readTree()
    expect(await second.readTree()).toEqual(tree)
    expect(Object.keys(tree).filter((path) => /conflict/i.test(path))).toEqual([])
    return tree
  }

  it('sends 10,000 files from each of two devices to the other, and goes on where one was killed', async () => {
    await first.makeTree('ours', TREE)
    await second.makeTree('theirs', TREE)
    await first.interrupt(/Completed propagation of "ours\/folder 2\d\/file/)
    const tree = await settle()
    expect(Object.keys(tree).filter((path) => /file \d+\.bin$/.test(path))).toHaveLength(2 * TREE.files)
  })

  it('keeps names, dates and empty folders', async () => {
    await makeOddFiles(first.folder, 'odd')
    const tree = await settle()
    expect(Object.keys(tree).filter((path) => path.startsWith('odd/'))).toEqual(
      expect.arrayContaining([...ODD_NAMES, 'empty'].map((name) => `odd/${name}`)),
    )
    const { mtimeMs } = await stat(join(second.folder, 'odd', 'folder 7', 'deeper 1', 'file 7.txt'))
    expect(mtimeMs).toBe(1_300_000_420_000)
  })

  it('needs fewer than ten requests if nothing has changed', async () => {
    await second.sync()
    const { requests } = await second.sync()
    expect(requests.length).toBeGreaterThan(0)
    expect(requests.length).toBeLessThan(10)
  })

  it('renames a folder with one request', async () => {
    await rename(join(first.folder, 'odd'), join(first.folder, 'renamed'))
    const { requests } = await first.sync()
    expect(requests.filter((request) => /^MOVE/.test(request))).toHaveLength(1)
    expect(requests.filter((request) => /^(PUT|POST|DELETE|MKCOL)/.test(request))).toEqual([])
    await settle()
  })

  it('sends a large file in chunks, and goes on where it was killed', async () => {
    const isOfUpload = (request: string) => /\/uploads\//.test(request)
    await writeFile(join(first.folder, 'large.bin'), randomBytes(45_000_000))
    await first.sync()
    await writeFile(join(first.folder, 'large.bin'), randomBytes(60_000_000))
    const secondChunk = /uploads\/[^/]+\/\d+\/\d*[1-9]\d*" has X-Request-ID/
    await first.interrupt(secondChunk, ['--uplimit', '10000'])
    const { requests } = await first.sync()
    const methods = requests.filter(isOfUpload).map((request) => request.replace(/ .*\//, ' '))
    expect(methods[0]).toMatch(/^PROPFIND/)
    expect(methods.at(-1)).toBe('MOVE .file')
    expect(methods.filter((request) => /MKCOL|DELETE/.test(request))).toEqual([])
    // The first chunk isn't sent again.
    expect(methods.filter((request) => / 0+$/.test(request))).toEqual([])
    await settle()
  })

  it('replaces many files at once without a conflict', async () => {
    const files = await readdir(join(first.folder, 'ours'), { withFileTypes: true, recursive: true })
    const changed = files.filter((entry) => entry.isFile()).slice(0, MANY)
    for (const { parentPath, name } of changed) await writeFile(join(parentPath, name), randomBytes(1_001))
    await settle()
  })

  it('ends with equal trees after random changes on both devices at the same time', async () => {
    await mkdir(join(first.folder, 'common'))
    await settle()
    for (let round = 0; round < ROUNDS; round++) {
      // Each device changes its own folder, so no conflict is anybody's fault but the server's.
      await edit(join(first.folder, 'ours'), `first ${round}`)
      await edit(join(second.folder, 'theirs'), `second ${round}`)
      for (const client of [first, second]) {
        await writeFile(join(client.folder, 'common', `${basename(client.folder)} ${round}.txt`), `${round}`)
      }
      await Promise.all([first.sync(), second.sync()])
      // Then they take turns in one folder.
      await settle()
      await edit(join(first.folder, 'theirs'), `turn ${round}`)
      await first.sync()
      await second.sync()
      await edit(join(second.folder, 'theirs'), `back ${round}`)
      await second.sync()
      await settle()
    }
    const third = await SyncClient.create(program, account, 'third')
    await third.sync()
    expect(await third.readTree()).toEqual(await first.readTree())
  })
})

describe('nextcloudcmd with bulk uploads', () => {
  let account: ServedAccount
  let proxy: Awaited<ReturnType<typeof serveNewerClient>>
  beforeAll(async () => {
    account = await serveAccount()
    proxy = await serveNewerClient(account.server.url)
  })
  afterAll(async () => {
    await proxy.close()
    await account.close()
  })

  it('sends and replaces small files a hundred at a time', async () => {
    const first = await SyncClient.create('nextcloudcmd', account, 'first', proxy.url)
    const second = await SyncClient.create('nextcloudcmd', account, 'second')
    await first.makeTree('tree', { files: 500, folders: 20, size: 1_000 })
    await makeOddFiles(first.folder, 'odd')
    const { requests } = await first.sync()
    expect(requests.filter((request) => /^POST .*\/bulk$/.test(request)).length).toBeGreaterThan(5)
    expect(requests.filter((request) => request.startsWith('PUT'))).toEqual([])
    await second.sync()
    const tree = await first.readTree()
    expect(await second.readTree()).toEqual(tree)

    for (let file = 0; file < 200; file++) {
      await writeFile(join(first.folder, 'tree', `folder ${file % 20}`, `file ${file}.bin`), randomBytes(1_001))
    }
    await first.sync()
    await second.sync()
    const changed = await first.readTree()
    expect(Object.keys(changed)).toEqual(Object.keys(tree))
    expect(await second.readTree()).toEqual(changed)
  })
})
