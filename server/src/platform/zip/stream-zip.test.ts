import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { readZip } from '../../testing/clients/zip.ts'
import { streamZip, type ZipEntry } from './stream-zip.ts'

const run = promisify(execFile)
/** Returns a stream that fails. */
const failing = () => new Readable({ read: () => undefined }).destroy(new Error('the disk is gone'))

const modifiedAt = Date.UTC(2026, 0, 15, 12, 34, 56)

function fileOf(path: string, content: Buffer, details: Partial<ZipEntry> = {}): ZipEntry {
  const open = () => Readable.from([content.subarray(0, 10), content.subarray(10)])
  return { kind: 'file', path, modifiedAt, size: content.length, open, isGone: async () => false, ...details }
}

const folderOf = (path: string) => fileOf(path, Buffer.alloc(0), { kind: 'folder' })

async function* listed(entries: Iterable<ZipEntry>) {
  yield* entries
}

const zipOf = async (entries: ZipEntry[]) => Buffer.concat(await streamZip(listed(entries)).toArray())

it('writes folders, files of all sizes and names in all scripts', async () => {
  const large = randomBytes(3_000_000)
  const zip = await readZip(
    await zipOf([
      folderOf('empty'),
      fileOf('empty/none', Buffer.alloc(0)),
      fileOf('größe 日本 🌻.txt', Buffer.from('small')),
      fileOf('large.bin', large),
      fileOf('back\\slash', Buffer.from('x')),
    ]),
  )
  expect([...zip.keys()]).toEqual(['empty/', 'empty/none', 'größe 日本 🌻.txt', 'large.bin', 'back_slash'])
  expect(zip.get('größe 日本 🌻.txt')?.toString()).toBe('small')
  expect(zip.get('large.bin')?.equals(large)).toBe(true)
})

it('writes a valid ZIP without entries', async () => {
  expect(await readZip(await zipOf([]))).toEqual(new Map())
})

it('fails if a file cannot be read or differs from its announced size', async () => {
  const broken = fileOf('x', Buffer.from('abc'), { open: () => failing() })
  await expect(zipOf([broken])).rejects.toThrow('the disk is gone')
  await expect(zipOf([fileOf('x', Buffer.from('abc'), { size: 4 })])).rejects.toThrow('3 bytes instead of 4')
  const large = fileOf('x', randomBytes(600_000), { size: 600_001 })
  await expect(zipOf([large])).rejects.toThrow('600000 bytes instead of 600001')
})

it('reads small files without a stream and streams the others', async () => {
  const atHand = fileOf('at hand', Buffer.from('abc'), { open: () => failing(), readSmall: () => Buffer.from('abc') })
  const streamed = fileOf('streamed', Buffer.from('def'), { readSmall: () => undefined })
  const zip = await readZip(await zipOf([atHand, streamed]))
  expect([...zip].map(([name, content]) => [name, content.toString()])).toEqual([
    ['at hand', 'abc'],
    ['streamed', 'def'],
  ])
  const wrong = fileOf('x', Buffer.from('abc'), { size: 4, readSmall: () => Buffer.from('abc') })
  await expect(zipOf([wrong])).rejects.toThrow('3 bytes instead of 4')
})

it('leaves out a file that was deleted since it was listed', async () => {
  const gone = fileOf('gone', Buffer.from('abc'), { open: () => failing(), isGone: async () => true })
  expect([...(await readZip(await zipOf([gone, fileOf('here', Buffer.from('abc'))]))).keys()]).toEqual(['here'])
})

it('requests entries as they are read, and closes the file when the reader disconnects', async () => {
  let requested = 0
  let closed = false
  async function* endless(): AsyncGenerator<Buffer> {
    try {
      for (;;) yield Buffer.alloc(100_000)
    } finally {
      closed = true
    }
  }
  async function* entries() {
    for (;;) {
      requested += 1
      yield fileOf(`f${requested}`, Buffer.alloc(0), { size: 1e12, open: endless })
    }
  }
  const zip = streamZip(entries())
  await zip[Symbol.asyncIterator]().next()
  zip.destroy()
  await wait(50)
  expect(requested).toBe(1)
  expect(closed).toBe(true)
})

it('writes ZIP64 records for more than 65,535 entries and files beyond 4 GiB', async () => {
  const piece = Buffer.alloc(8 * 1024 * 1024, 7)
  const pieces = 513
  async function* huge() {
    for (let count = 0; count < pieces; count += 1) yield piece
  }
  const entries = function* () {
    for (let count = 0; count < 70_000; count += 1) yield folderOf(`f${count}`)
    yield fileOf('huge', piece, { size: piece.length * pieces, open: huge })
    yield fileOf('behind', Buffer.from('abc'))
  }
  // Keeps only the end of the ZIP instead of four gigabytes on the disk.
  let size = 0
  const parts: Buffer[] = []
  for await (const part of streamZip(listed(entries()))) {
    size += part.length
    parts.push(part)
    if (parts.length > 60) parts.shift()
  }
  const tail = Buffer.concat(parts)
  const tailStart = size - tail.length
  const end = tail.lastIndexOf(Buffer.from('PK\u0005\u0006'))
  expect(tail.readUInt16LE(end + 10)).toBe(0xffff)
  const large = tail.lastIndexOf(Buffer.from('PK\u0006\u0006'))
  expect(Number(tail.readBigUInt64LE(large + 32))).toBe(70_002)
  const directoryStart = Number(tail.readBigUInt64LE(large + 48))
  const directorySize = Number(tail.readBigUInt64LE(large + 40))
  expect(directoryStart + directorySize).toBe(tailStart + large)
  // Each record has a name of at least three bytes and the time.
  expect(directorySize).toBeGreaterThan(70_002 * (46 + 3 + 9))
  const locator = tail.lastIndexOf(Buffer.from('PK\u0006\u0007'))
  expect(Number(tail.readBigUInt64LE(locator + 8))).toBe(tailStart + large)
  expect(tail.readUInt32LE(directoryStart - tailStart)).toBe(0x0201_4b50)
}, 120_000)

/** Unpacks a ZIP with unzip. Returns false if that is not installed. */
async function unzip(path: string, directory: string): Promise<boolean> {
  // Without a UTF-8 locale, unzip writes the names differently. The DOS time counts as local time.
  const env = { ...process.env, LC_ALL: 'C.UTF-8', TZ: 'UTC' }
  try {
    await run('unzip', ['-q', path, '-d', directory], { env })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}

it.for([
  ['in 1975, before the DOS time begins', Date.UTC(1975, 5, 6, 7, 8, 9)],
  ['in 2011, at an odd second', Date.UTC(2011, 4, 6, 7, 8, 9)],
  ['in January 2038, when 31 bits end', (2 ** 31 - 1) * 1000],
  ['in 2050, after 31 bits have ended', Date.UTC(2050, 4, 6, 7, 8, 8)],
] as const)('unpacks a file with a date %s', async ([_when, date], context) => {
  const directory = await mkdtemp(join(tmpdir(), 'alcove-zip-'))
  try {
    const path = join(directory, 'test.zip')
    await writeFile(path, await zipOf([fileOf('dated', Buffer.from('x'), { modifiedAt: date })]))
    if (!(await unzip(path, directory))) context.skip('unzip is not installed')
    expect((await stat(join(directory, 'dated'))).mtimeMs).toBe(date)
  } finally {
    await rm(directory, { recursive: true })
  }
})

it('writes the end of 2107 for later dates, because the DOS time ends there', async () => {
  const zip = await zipOf([fileOf('dated', Buffer.from('x'), { modifiedAt: Date.UTC(2500, 4, 6, 7, 8, 9) })])
  const directory = zip.indexOf(Buffer.from('PK\u0001\u0002'))
  for (const time of [zip.readUInt32LE(10), zip.readUInt32LE(directory + 12)]) {
    expect([(time >>> 25) + 1980, (time >>> 21) & 15, (time >>> 16) & 31]).toEqual([2107, 12, 31])
    expect([(time >>> 11) & 31, (time >>> 5) & 63, (time & 31) * 2]).toEqual([23, 59, 58])
  }
})

it('writes a ZIP that unzip reads', async ({ skip }) => {
  const directory = await mkdtemp(join(tmpdir(), 'alcove-zip-'))
  try {
    const large = randomBytes(1_000_000)
    const path = join(directory, 'test.zip')
    await writeFile(path, await zipOf([folderOf('f'), fileOf('f/ü.txt', Buffer.from('small')), fileOf('large', large)]))
    if (!(await unzip(path, directory))) skip('unzip is not installed')
    expect((await readFile(join(directory, 'large'))).equals(large)).toBe(true)
    expect((await readFile(join(directory, 'f', 'ü.txt'))).toString()).toBe('small')
  } finally {
    await rm(directory, { recursive: true })
  }
})
