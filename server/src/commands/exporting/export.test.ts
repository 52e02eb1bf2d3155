import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { environmentOf, runTestCommand } from '../../testing/clients/operator.ts'
import { spawnOperator } from '../../testing/clients/operator-process.ts'
import { app, makeFolder, setUpDrive, trash, user } from '../../testing/factories/drive.ts'
import { blobOf } from '../../testing/factories/stored-blob.ts'

setUpDrive()

let target: string
beforeEach(async () => {
  target = await mkdtemp(join(tmpdir(), 'alcove-export-'))
})
afterEach(() => rm(target, { recursive: true, force: true }))

const runExport = (...given: string[]) =>
  runTestCommand(app.services.config, app.clock, 'export', user.email, target, ...given)

const store = (name: string, content: Buffer<ArrayBuffer> | string, fields = {}) =>
  user.client.upload(name, content, { totalSize: content.length, ...fields })

const listTarget = async () => (await readdir(target, { recursive: true })).sort()

it('exports the drive with dates, which an import makes the same again', async () => {
  const large = randomBytes(200_000)
  const photos = await makeFolder('Photos')
  await makeFolder('empty', photos.id)
  await store('beach.jpg', large, { parentFolderId: photos.id, lastModified: 1_234_567_890_123 })
  await store('notes.txt', 'notes')
  await store('nothing', '')
  await trash((await store('gone.txt', 'gone')).id, 'file')
  const { code, printed, errors } = await runExport()
  expect([code, errors]).toEqual([0, []])
  expect(printed).toEqual([expect.stringMatching(/^Exported: 3 files, 195\.32 KB in /)])
  expect(await listTarget()).toEqual(['Photos', 'Photos/beach.jpg', 'Photos/empty', 'notes.txt', 'nothing'])
  expect((await readFile(join(target, 'Photos/beach.jpg'))).equals(large)).toBe(true)
  expect(Math.floor((await stat(join(target, 'Photos/beach.jpg'))).mtimeMs)).toBe(1_234_567_890_123)

  const again = await runTestCommand(app.services.config, app.clock, 'import', user.email, target)
  expect(again.printed[1]).toMatch(/^Already there: 3 files/)
})

it('leaves alone what is there already, and never replaces anything', async () => {
  await store('a.txt', 'a')
  await store('b.txt', 'bb')
  const folder = await makeFolder('folder')
  await store('inside.txt', 'inside', { parentFolderId: folder.id })
  await runExport()
  await writeFile(join(target, 'b.txt'), 'mine')
  await rm(join(target, 'folder'), { recursive: true })
  await symlink('/tmp', join(target, 'folder'))
  await store('c.txt', 'c')
  const { code, printed, errors } = await runExport()
  expect([code, errors]).toEqual([1, ['Not everything was exported.']])
  expect(printed.slice(0, 3)).toEqual([
    expect.stringMatching(/^Exported: 1 file, /),
    expect.stringMatching(/^Already there: 1 file, /),
    'Skipped: 2.',
  ])
  expect(printed.slice(3).sort()).toEqual([
    '  b.txt: another file with this name is there',
    '  folder/: another file with this name is there',
  ])
  expect(await readFile(join(target, 'b.txt'), 'utf8')).toBe('mine')
})

it('exports the files of the vault as they are stored, with a note how to open them', async () => {
  const secret = randomBytes(200_000)
  await store('secret.bin', secret, { isEncrypted: true })
  await makeFolder('Vault')
  expect(await runExport()).toMatchObject({ code: 0 })
  expect(await listTarget()).toEqual([
    'Vault',
    'Vault (1)',
    'Vault (1)/How to open these files.txt',
    'Vault (1)/secret.bin',
  ])
  expect((await readFile(join(target, 'Vault (1)/secret.bin'))).equals(secret)).toBe(true)
  expect(await readFile(join(target, 'Vault (1)/How to open these files.txt'), 'utf8')).toContain('decrypt.mjs')
  expect((await runExport()).printed[1]).toMatch(/^Already there: 1 file/)
})

it('reports files whose bytes are missing, and exports the others', async () => {
  const { key } = await blobOf((await store('lost.bin', randomBytes(200_000))).id)
  await store('kept.txt', 'kept')
  await app.services.blobs.remove(key)
  const { code, printed } = await runExport()
  expect(code).toBe(1)
  expect(printed.at(-1)).toBe('  lost.bin: its stored bytes are missing')
  expect(await listTarget()).toEqual(['kept.txt'])
  await app.services.db.deleteFrom('items').where('blob_key', '=', key).execute()
})

it('reports names and paths that are too long for the file system', async () => {
  let folder: string | undefined
  for (let level = 0; level < 20; level++) folder = (await makeFolder('x'.repeat(250), folder)).id
  await store('deep.txt', 'deep', { parentFolderId: folder })
  await store('ok.txt', 'ok')
  const { code, printed } = await runExport()
  expect(code).toBe(1)
  expect(printed.at(-1)).toMatch(/\/: its name or path is too long for the file system$/)
  expect(await listTarget()).toContain('ok.txt')
})

it('continues after it was killed', async () => {
  await mkdir(join(target, 'out'))
  const folder = await makeFolder('many')
  const files = Array.from({ length: 40 }, (_unused, index) => [`${index}.bin`, randomBytes(140_000)] as const)
  for (const [name, content] of files) await store(name, content, { parentFolderId: folder.id })
  const child = spawnOperator(environmentOf(app.services.config), 'export', user.email, join(target, 'out'))
  const ended = once(child, 'exit')
  const count = () =>
    readdir(join(target, 'out/many')).then(
      (names) => names.length,
      () => 0,
    )
  while (child.exitCode === null && (await count()) < 5) await wait(1)
  child.kill('SIGKILL')
  await ended
  const { code } = await runTestCommand(app.services.config, app.clock, 'export', user.email, join(target, 'out'))
  expect(code).toBe(0)
  expect((await readdir(join(target, 'out/many'))).sort()).toEqual(files.map(([name]) => name).sort())
  for (const [name, content] of files) {
    expect((await readFile(join(target, 'out/many', name))).equals(content)).toBe(true)
  }
})

it('is noted in the audit log, as an import is', async () => {
  await runExport()
  await runTestCommand(app.services.config, app.clock, 'import', user.email, target)
  const entries = await app.services.db
    .selectFrom('audit_log')
    .select(['action', 'via', 'target'])
    .where('target', '=', user.email)
    .orderBy('id')
    .execute()
  expect(entries).toEqual([
    { action: 'files.export', via: 'command', target: user.email },
    { action: 'files.import', via: 'command', target: user.email },
  ])
})
