import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { paxOf, sealHeader, type TarPart, tarHeader, tarOf } from '../../../testing/clients/tar.ts'
import { readTar, type TarEntry } from './read-tar.ts'

/** Reads an archive that arrives in chunks of a size. */
async function read(archive: Buffer, chunkSize = 1000) {
  async function* chunks() {
    for (let start = 0; start < archive.length; start += chunkSize) yield archive.subarray(start, start + chunkSize)
  }
  const entries: (Omit<TarEntry, 'bytes'> & { content: string })[] = []
  for await (const { bytes, ...entry } of readTar(chunks())) {
    const chunksOfFile: Buffer[] = []
    for await (const chunk of bytes()) chunksOfFile.push(Buffer.from(chunk))
    const content = Buffer.concat(chunksOfFile)
    entries.push({ ...entry, content: content.toString() })
  }
  return entries
}

const pathsOf = async (parts: readonly TarPart[]) => (await read(tarOf(parts))).map(({ path }) => path)

describe('an archive of GNU tar', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'alcove-tar-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  it.each(['v7', 'ustar', 'oldgnu', 'gnu', 'posix'])('is read in the format %s', async (format) => {
    const long = format === 'v7' ? 'short' : 'n'.repeat(format === 'ustar' ? 99 : 240)
    const names = ['a', 'Ünïcödé 写真.jpg', `${long}/${long}`]
    await mkdir(join(folder, long))
    for (const name of names) {
      await writeFile(join(folder, name), `content of ${name}`)
      await utimes(join(folder, name), 1_500_000_000, 1_500_000_000)
    }
    await symlink('a', join(folder, 'link'))
    await mkdir(join(folder, 'below'))
    const words = ['--create', `--format=${format}`, '-C', folder, ...names, 'link', 'below']
    const { stdout, status, stderr } = spawnSync('tar', words, { maxBuffer: 1e9 })
    expect([status, stderr.toString()]).toEqual([0, ''])
    for (const chunkSize of [1, 513, 100_000]) {
      const entries = await read(stdout, chunkSize)
      const files = entries.filter(({ kind, path }) => kind === 'file' && names.includes(path ?? ''))
      expect(files.slice(0, 3)).toEqual(
        names.map((path) => ({
          path,
          kind: 'file',
          size: Buffer.byteLength(`content of ${path}`),
          modifiedAt: 1_500_000_000_000,
          content: `content of ${path}`,
        })),
      )
      expect(entries.find(({ path }) => path === 'link')?.kind).toBe('link')
      expect(entries.find(({ path }) => path === 'below/')?.kind).toBe('folder')
    }
  })

  it.each(['gnu', 'posix'])(
    'has its sparse files marked in the format %s, and what follows is read',
    async (format) => {
      spawnSync(
        'sh',
        [
          '-c',
          'dd if=/dev/zero of=sparse bs=1 count=1 seek=1M; for i in $(seq 40); do dd if=/dev/urandom of=sparse conv=notrunc bs=4k count=1 seek=$((i*8)); done; echo end > z',
        ],
        { cwd: folder },
      )
      const { stdout } = spawnSync('tar', ['--create', '--sparse', `--format=${format}`, '-C', folder, 'sparse', 'z'], {
        maxBuffer: 1e9,
      })
      const entries = await read(stdout)
      expect(entries.map(({ kind }) => kind)).toEqual(['sparse', 'file'])
      expect(entries[1]?.content).toBe('end\n')
    },
  )
})

describe('the attributes of the format pax', () => {
  it('say name, size and date of the next file', async () => {
    const long = { path: 'short', content: 'hello', size: 0 }
    const [first, second] = await read(
      tarOf([paxOf({ path: 'a/long = name', size: '5', mtime: '1500000000.25' }), long, { path: 'b', content: 'x' }]),
    )
    expect(first).toMatchObject({ path: 'a/long = name', size: 5, modifiedAt: 1_500_000_000_250, content: 'hello' })
    expect(second).toMatchObject({ path: 'b', content: 'x' })
  })

  it('count for one file only, and global ones for none', async () => {
    const global = { ...paxOf({ path: 'everywhere', size: '0' }), type: 'g' }
    expect(await pathsOf([global, { path: 'a', content: 'x' }, { path: 'b' }])).toEqual(['a', 'b'])
  })

  it.each([
    ['a line without length', 'path=x\n'],
    ['a line that is longer than the attributes', '99 path=x\n'],
    ['a line that does not end', '9 path=xx'],
    ['a line without an equals sign', '8 pathx\n'],
    ['a line without bytes', '0 path=x\n'],
  ])('are refused with %s', async (_what, content) => {
    await expect(pathsOf([{ path: 'p', type: 'x', content }, { path: 'a' }])).rejects.toThrow('attributes')
  })

  it('are refused if they are too long for memory', async () => {
    await expect(read(tarHeader({ path: 'p', type: 'x', size: 2 ** 40 }))).rejects.toThrow('too long')
    await expect(read(tarHeader({ path: 'p', type: 'L', size: 2 ** 40 }))).rejects.toThrow('too long')
  })

  it.each(['-1', '1e3', '99999999999999999999', ''])('are refused with the size %j', async (size) => {
    await expect(pathsOf([paxOf({ size }), { path: 'a' }])).rejects.toThrow('impossible size')
  })
})

describe('a damaged archive', () => {
  it.each([
    ['a header', 100],
    ['a file', 1200],
    ['the space after a file', 1500],
    ['the block that marks the end', 1600],
  ])('is noticed if it stops within %s', async (_where, length) => {
    const archive = tarOf([{ path: 'a', content: 'x'.repeat(700) }])
    await expect(read(archive.subarray(0, length))).rejects.toThrow('ends early')
  })

  it('is noticed by the checksum of a header', async () => {
    const archive = tarOf([{ path: 'a' }])
    archive[0] = 98
    await expect(read(archive)).rejects.toThrow('checksum')
  })

  it('is noticed by numbers that are none', async () => {
    const header = tarHeader({ path: 'a' })
    header.write('0000000009x', 124)
    await expect(read(sealHeader(header))).rejects.toThrow('unreadable number')
    header.fill(0xff, 124, 136)
    await expect(read(sealHeader(header))).rejects.toThrow('impossible size')
  })
})

it('marks names that are not UTF-8', async () => {
  expect(await pathsOf([{ path: Buffer.from([0x61, 0xff]) }])).toEqual([undefined])
})

it('passes over bytes that are not read', async () => {
  async function* chunks() {
    yield tarOf([{ path: 'a', content: 'x'.repeat(5000) }, { path: 'b' }])
  }
  const paths = []
  for await (const { path } of readTar(chunks())) paths.push(path)
  expect(paths).toEqual(['a', 'b'])
})
