import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect } from 'vitest'
import { streamZip, type ZipEntry } from '../../platform/zip/stream-zip.ts'
import { runTestCommand } from '../clients/operator.ts'
import { type TarPart, tarOf } from '../clients/tar.ts'
import { app, listIn, user } from './drive.ts'

export type Files = Readonly<Record<string, string | Buffer<ArrayBuffer>>>

/** The folder of the running test, if the test file calls `setUpTakeout`. */
export let folder: string

export function setUpTakeout(): void {
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'alcove-takeout-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))
}

/** Returns a sidecar with the time at which the photo was taken, in seconds. */
export const takenAt = (timestamp: number | string) =>
  JSON.stringify({ title: 'x', photoTakenTime: { timestamp: String(timestamp) } })

export const beach = randomBytes(90_000)
const [hut, video] = [randomBytes(90_000), randomBytes(5_000)]

const PHOTOS = 'Takeout/Google Fotos'
/** A small Takeout. */
export const takeout: Files = {
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
  'Takeout/Drive/settings.json': '{"title": "not an album", "description": "x"}',
  'Takeout/archive_browser.html': '<html>',
}

/** Compares the drive with what is imported of `takeout`. */
export async function expectImported(): Promise<void> {
  expect(await datesIn()).toEqual({ Drive: '', 'Google Fotos': '' })
  expect(await datesIn('Google Fotos', 'Fotos von 2019')).toEqual({
    'hut.jpg': '2019-10-02T07:06:40.000Z',
    'hut.MP4': '2019-10-02T07:06:40.000Z',
    'without.jpg': '2020-09-13T12:26:40.000Z',
  })
  expect(await datesIn('Google Fotos', 'Italy')).toEqual({ 'beach.jpg': '2019-06-08T13:20:00.000Z' })
  expect(await datesIn('Drive', 'Letters')).toEqual({ 'letter.txt': '2020-09-13T12:26:40.000Z' })
  expect(Object.keys(await datesIn('Drive'))).toEqual(['Letters', 'settings.json'])
}

/** Writes files into the folder of the test, all with the same date. */
export async function writeFolder(files: Files): Promise<string> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(folder, dirname(path)), { recursive: true })
    await writeFile(join(folder, path), content)
    await utimes(join(folder, path), 1_600_000_000, 1_600_000_000)
  }
  return folder
}

export async function writeZip(name: string, files: Files): Promise<string> {
  const path = join(folder, name)
  async function* entries(): AsyncGenerator<ZipEntry> {
    for (const [file, content] of Object.entries(files)) {
      const bytes = Buffer.from(content)
      const open = async function* () {
        yield bytes
      }
      const isGone = async () => false
      yield { kind: 'file', path: file, modifiedAt: 1_600_000_000_000, size: bytes.length, open, isGone }
    }
  }
  await pipeline(streamZip(entries()), createWriteStream(path))
  return path
}

/** Writes a tar archive, compressed unless it is called `.tar`. */
export async function writeTar(name: string, parts: Files | readonly TarPart[]): Promise<string> {
  const path = join(folder, name)
  const entries = Array.isArray(parts)
    ? (parts as readonly TarPart[])
    : Object.entries(parts).map(([file, content]) => ({ path: file, content }))
  const archive = tarOf(entries)
  await writeFile(path, name.endsWith('.tar') ? archive : gzipSync(archive))
  return path
}

export const importTakeout = (...parts: string[]) =>
  runTestCommand(app.services.config, app.clock, 'import', user.email, ...parts, '--takeout')

export async function folderAt(...names: string[]): Promise<string | undefined> {
  let id: string | undefined
  for (const name of names) id = (await listIn(id)).find((item) => item.name === name)?.id
  return id
}

/** Returns the dates of the files in a folder of the drive. Folders have none. */
export async function datesIn(...names: string[]): Promise<Record<string, string>> {
  const items = (await listIn(await folderAt(...names))) as { name: string; type: string; modifiedAt?: string }[]
  return Object.fromEntries(
    items.map(({ name, type, modifiedAt }) => [name, type === 'file' ? (modifiedAt ?? '') : '']),
  )
}
