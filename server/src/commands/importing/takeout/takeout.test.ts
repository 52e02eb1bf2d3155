import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { streamZip, type ZipEntry } from '../../../platform/zip/stream-zip.ts'
import { runTestCommand } from '../../../testing/clients/operator.ts'
import { app, download, listIn, namesIn, setUpDrive, user } from '../../../testing/factories/drive.ts'

setUpDrive()

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'alcove-takeout-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

type Files = Readonly<Record<string, string | Buffer<ArrayBuffer>>>

const [beach, hut, video] = [randomBytes(90_000), randomBytes(90_000), randomBytes(5_000)]
const takenAt = (timestamp: number) => JSON.stringify({ title: 'x', photoTakenTime: { timestamp: String(timestamp) } })

const PHOTOS = 'Takeout/Google Fotos'
const takeout: Files = {
  [`${PHOTOS}/Fotos von 2019/beach.jpg`]: beach,
  [`${PHOTOS}/Fotos von 2019/beach.jpg.supplemental-metadata.json`]: takenAt(1_560_000_000),
  [`${PHOTOS}/Fotos von 2019/hut.jpg`]: hut,
  [`${PHOTOS}/Fotos von 2019/hut.jpg.json`]: takenAt(1_570_000_000),
  [`${PHOTOS}/Fotos von 2019/hut.MP4`]: video,
  [`${PHOTOS}/Fotos von 2019/without.jpg`]: 'no sidecar',
  [`${PHOTOS}/Italy/metadata.json`]: JSON.stringify({ title: 'Italy', description: '' }),
  [`${PHOTOS}/Italy/beach.jpg`]: beach,
  [`${PHOTOS}/Italy/beach.jpg.json`]: takenAt(1_560_000_000),
  'Takeout/Drive/Letters/letter.txt': 'a letter',
  'Takeout/Drive/settings.json': '{"title": "not an album"}',
  'Takeout/archive_browser.html': '<html>',
}

async function writeFolder(files: Files): Promise<string> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(folder, dirname(path)), { recursive: true })
    await writeFile(join(folder, path), content)
    await utimes(join(folder, path), 1_600_000_000, 1_600_000_000)
  }
  return folder
}

async function writeZip(name: string, files: Files): Promise<string> {
  const path = join(folder, name)
  async function* entries(): AsyncGenerator<ZipEntry> {
    for (const [file, content] of Object.entries(files)) {
      const bytes = Buffer.from(content)
      const open = async function* () {
        yield bytes
      }
      yield {
        kind: 'file',
        path: file,
        modifiedAt: 1_600_000_000_000,
        size: bytes.length,
        open,
        isGone: async () => false,
      }
    }
  }
  await pipeline(streamZip(entries()), createWriteStream(path))
  return path
}

const runImport = (...parts: string[]) =>
  runTestCommand(app.services.config, app.clock, 'import', user.email, ...parts, '--takeout')

async function folderAt(...names: string[]): Promise<string | undefined> {
  let id: string | undefined
  for (const name of names) id = (await listIn(id)).find((item) => item.name === name)?.id
  return id
}

async function datesIn(...names: string[]): Promise<Record<string, string>> {
  const items = (await listIn(await folderAt(...names))) as { name: string; modifiedAt?: string }[]
  return Object.fromEntries(items.map(({ name, modifiedAt }) => [name, modifiedAt ?? '']))
}

async function expectImported(): Promise<void> {
  expect(await namesIn()).toEqual(['Drive', 'Google Fotos'])
  expect(await datesIn('Google Fotos', 'Fotos von 2019')).toEqual({
    'hut.jpg': '2019-10-02T07:06:40.000Z',
    'hut.MP4': '2019-10-02T07:06:40.000Z',
    'without.jpg': '2020-09-13T12:26:40.000Z',
  })
  expect(await datesIn('Google Fotos', 'Italy')).toEqual({ 'beach.jpg': '2019-06-08T13:20:00.000Z' })
  expect(await namesIn(await folderAt('Drive', 'Letters'))).toEqual(['letter.txt'])
  expect(await namesIn(await folderAt('Drive'))).toEqual(['Letters', 'settings.json'])
  expect((await download('beach.jpg', await folderAt('Google Fotos', 'Italy'))).equals(beach)).toBe(true)
}

it('imports an extracted Takeout with the dates of the sidecars, and stores photos of albums once', async () => {
  const path = await writeFolder(takeout)
  const { code, printed, errors } = await runImport(path)
  expect([code, errors]).toEqual([0, []])
  expect(printed).toEqual([expect.stringMatching(/^Imported: 6 files, /)])
  await expectImported()
  expect((await runImport(path)).printed[1]).toMatch(/^Already there: 6 files/)
})

it('imports the ZIP archives of a Takeout, whose sidecars may be in another part than their photos', async () => {
  const isSidecar = ([path]: [string, unknown]) => path.includes('json')
  const parts = [
    await writeZip('takeout-001.zip', Object.fromEntries(Object.entries(takeout).filter((one) => !isSidecar(one)))),
    await writeZip('takeout-002.zip', Object.fromEntries(Object.entries(takeout).filter(isSidecar))),
  ]
  const { code, errors } = await runImport(...parts)
  expect([code, errors]).toEqual([0, []])
  await expectImported()
  expect((await runImport(...parts)).printed[1]).toMatch(/^Already there: 6 files/)
  expect(await runTestCommand(app.services.config, app.clock, 'verify')).toMatchObject({ code: 0 })
})

it('reports sidecars whose photo is missing, and damaged files of an archive', async () => {
  const path = await writeZip('part.zip', {
    'Takeout/Google Photos/Photos from 2019/there.jpg': randomBytes(200_000),
    'Takeout/Google Photos/Photos from 2019/there.jpg.json': takenAt(1),
    'Takeout/Google Photos/Photos from 2019/elsewhere.jpg.json': takenAt(2),
  })
  expect((await runImport(path)).printed.slice(1)).toEqual([
    'Skipped: 1.',
    '  Takeout/Google Photos/Photos from 2019/elsewhere.jpg.json: the photo that it describes is missing; it may be in another part of the archive',
  ])
})

it('refuses archives that it cannot read, with what to do', async () => {
  await writeFile(join(folder, 'broken.zip'), 'this is no archive')
  expect((await runImport(join(folder, 'broken.zip'))).errors).toEqual([
    expect.stringContaining("broken.zip can't be read: "),
  ])
  expect((await runImport('/tmp/takeout-001.tgz')).errors).toEqual([
    '/tmp/takeout-001.tgz: extract it first (tar -xf takeout-001.tgz -C FOLDER), and import the folder.',
  ])
  const several = await runTestCommand(app.services.config, app.clock, 'import', user.email, folder, folder)
  expect([several.code, several.errors[0]]).toEqual([
    2,
    'Only the parts of a Google Takeout (--takeout) can be several.',
  ])
})

it('refuses an archive whose names lead out of it', async () => {
  const path = await writeZip('escape.zip', { 'Takeout/x/y/evil.txt': 'evil' })
  const bytes = await readFile(path)
  const escaped = Buffer.from(bytes.toString('latin1').replaceAll('Takeout/x/y/', '../../../../'), 'latin1')
  await writeFile(path, escaped)
  expect((await runImport(path)).errors).toEqual([expect.stringMatching(/invalid relative path/)])
  expect(await namesIn()).toEqual([])
})

it('stores no more bytes of a file than its archive says, and skips it', async () => {
  const path = await writeZip('bomb.zip', { 'bomb.bin': Buffer.alloc(300_000, 7) as Buffer<ArrayBuffer> })
  const bytes = await readFile(path)
  // The archive says 100,000 bytes in its directory, where the compressed and uncompressed sizes are, and holds 300,000.
  const directory = bytes.lastIndexOf(Buffer.from('PK\u0001\u0002'))
  for (const offset of [20, 24]) {
    if (bytes.readUInt32LE(directory + offset) === 300_000) bytes.writeUInt32LE(100_000, directory + offset)
  }
  await writeFile(path, bytes)
  await runImport(path)
  const { used_bytes } = await app.services.db
    .selectFrom('users')
    .select('used_bytes')
    .where('id', '=', user.id)
    .executeTakeFirstOrThrow()
  expect(used_bytes).toBeLessThanOrEqual(100_000)
  expect(await runTestCommand(app.services.config, app.clock, 'verify')).toMatchObject({ code: 0 })
})
