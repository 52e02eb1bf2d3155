import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { crc32, deflateRawSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { environmentOf, runTestCommand } from '../../../testing/clients/operator.ts'
import { spawnOperator } from '../../../testing/clients/operator-process.ts'
import { paxOf, tarHeader } from '../../../testing/clients/tar.ts'
import { app, namesIn, setUpDrive, usedBytes, user } from '../../../testing/factories/drive.ts'
import { datesIn, folder, importTakeout, setUpTakeout, writeTar, writeZip } from '../../../testing/factories/takeout.ts'

setUpDrive()
setUpTakeout()

const verify = () => runTestCommand(app.services.config, app.clock, 'verify')

describe('a hostile .tgz archive', () => {
  it('imports nothing from outside, and no links, devices or sparse files, and reports each', async () => {
    const path = await writeTar('t.tgz', [
      { path: '/etc/absolute', content: 'x' },
      { path: '../../escape', content: 'x' },
      { path: 'Takeout/../../escape', content: 'x' },
      paxOf({ path: '../escape by pax' }),
      { path: 'Takeout/harmless', content: 'x' },
      { path: './././@LongLink', type: 'L', content: '../escape by GNU\0' },
      { path: 'Takeout/harmless', content: 'x' },
      { path: 'escape', prefix: '..', content: 'x' },
      { path: 'Takeout/link', type: '2' },
      { path: 'Takeout/hard link', type: '1' },
      { path: 'Takeout/disk', type: '4' },
      { path: 'Takeout/terminal', type: '3' },
      { path: 'Takeout/fifo', type: '6' },
      { path: 'Takeout/sparse', type: 'S', content: 'x' },
      paxOf({ 'GNU.sparse.major': '1' }),
      { path: 'Takeout/sparse by pax', content: 'x' },
      { path: 'Takeout/line\nbreak', content: 'x' },
      { path: Buffer.from([0x61, 0xff]), content: 'x' },
      { path: `Takeout/${'n/'.repeat(40)}x`, content: 'deep' },
      paxOf({ path: `Takeout/${'n/'.repeat(10_000)}x` }),
      { path: 'Takeout/x', content: 'too deep' },
      { path: './Takeout//ok', content: 'ok' },
    ])
    const { code, printed } = await importTakeout(path)
    expect(code).toBe(1)
    expect(printed.map((line) => line.slice(0, 100))).toEqual([
      expect.stringMatching(/^Imported: 2 files, 6 bytes/),
      'Skipped: 16.',
      '  /etc/absolute: its path leads out of the archive',
      '  ../../escape: its path leads out of the archive',
      '  Takeout/../../escape: its path leads out of the archive',
      '  ../escape by pax: its path leads out of the archive',
      '  ../escape by GNU: its path leads out of the archive',
      '  ../escape: its path leads out of the archive',
      '  Takeout/link: links are not imported',
      '  Takeout/hard link: links are not imported',
      '  Takeout/disk: it is a special file',
      '  Takeout/terminal: it is a special file',
      '  Takeout/fifo: it is a special file',
      '  Takeout/sparse: it is stored as a sparse file, which is not imported',
      '  Takeout/sparse by pax: it is stored as a sparse file, which is not imported',
      expect.stringContaining('A name cannot contain control characters.'),
      '  ?: its name is not UTF-8',
      expect.stringContaining('n/n/n/n'),
    ])
    expect(await namesIn()).toEqual(['n', 'ok'])
    expect(await verify()).toMatchObject({ code: 0 })
  })

  it('is refused if it expands to fill the disk, before anything is imported', async () => {
    const path = join(folder, 'bomb.tgz')
    // 2.5 GiB of zeros. Members of gzip can follow each other.
    const zeros = gzipSync(Buffer.alloc(256 * 1024 * 1024), { level: 9 })
    const head = gzipSync(tarHeader({ path: 'Takeout/zeros', size: 10 * 256 * 1024 * 1024 }))
    await writeFile(
      path,
      Buffer.concat([head, ...Array.from({ length: 10 }, () => zeros), gzipSync(Buffer.alloc(1024))]),
    )
    expect((await stat(path)).size).toBeLessThan(2_700_000)
    const { code, errors } = await importTakeout(await writeTar('small.tgz', { 'Takeout/a': 'a' }), path)
    expect(code).toBe(1)
    // Before it, on a slow machine, is the progress.
    expect(errors.at(-1)).toMatch(/bomb\.tgz is refused: it expands to more than 200 times its size/)
    expect(await namesIn()).toEqual([])
  }, 60_000)

  it('is reported if it is incomplete, and what is there is imported', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => [`Takeout/${index}.bin`, randomBytes(20_000)]),
    )
    const path = await writeTar('t.tgz', files)
    await truncate(path, 210_000)
    const { code, printed } = await importTakeout(path)
    expect([code, printed.slice(1)]).toEqual([
      1,
      [
        'Skipped: 1.',
        expect.stringMatching(/t\.tgz: it is damaged or incomplete after Takeout\/10\.bin \(.+\); download it again$/),
      ],
    ])
    expect(await namesIn()).toHaveLength(10)
    await writeTar('t.tgz', files)
    expect((await importTakeout(path)).printed).toEqual([
      expect.stringMatching(/^Imported: 10 files/),
      expect.stringMatching(/^Already there: 10 files/),
    ])
  })

  it('is reported if the checksum at its end is wrong', async () => {
    const path = await writeTar('t.tgz', { 'Takeout/a': randomBytes(1_000_000) })
    const bytes = await readFile(path)
    bytes.writeUInt32LE(1, bytes.length - 8)
    await writeFile(path, bytes)
    expect((await importTakeout(path)).printed[2]).toMatch(/damaged or incomplete .*incorrect data check/)
  })

  it.each([
    ['that is no archive', Buffer.from('this is no archive'.repeat(100))],
    ['that is compressed text', gzipSync('this is no archive'.repeat(100))],
    ['that is empty', Buffer.alloc(0)],
  ])('is refused with a file %s', async (_what, content) => {
    const path = join(folder, 't.tgz')
    await writeFile(path, content)
    expect((await importTakeout(path)).errors).toEqual([expect.stringContaining("t.tgz can't be read: ")])
  })
})

describe('a .tgz archive', () => {
  it('has its large and small files stored with their bytes, whatever their order', async () => {
    const sizes = [0, 1, 65_536, 65_537, 3_000_000, 9_000_000, 100, 5_000_000, 4_194_304, 4_194_305, 7]
    const files = Object.fromEntries(sizes.map((size, index) => [`Takeout/${index}.bin`, randomBytes(size)]))
    const many = Array.from({ length: 30 }, (_, index) => [`Takeout/many/${index}`, randomBytes(1_500_000)])
    const path = await writeTar('t.tgz', { ...files, ...Object.fromEntries(many) })
    expect((await importTakeout(path)).errors).toEqual([])
    expect(await usedBytes()).toBe(sizes.reduce((sum, size) => sum + size, 30 * 1_500_000))
    expect(await verify()).toMatchObject({ code: 0 })
    expect((await importTakeout(path)).printed[1]).toMatch(/^Already there: 41 files/)
  })

  it('goes on after the import was killed', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 700 }, (_, index) => [`Takeout/${index % 7}/${index}`, randomBytes(9000)]),
    )
    const path = await writeTar('t.tgz', files)
    const environment = environmentOf(app.services.config)
    for (const round of [0, 1]) {
      const child = spawnOperator(environment, 'import', user.email, path, '--takeout')
      const ended = once(child, 'exit')
      const before = await usedBytes()
      // Until it has committed something, or has ended.
      while (child.exitCode === null && (await usedBytes()) === before) await wait(5)
      await wait(round * 20)
      child.kill('SIGKILL')
      await ended
      expect(await verify()).toMatchObject({ code: 0 })
    }
    expect(await importTakeout(path)).toMatchObject({ code: 0 })
    expect(await usedBytes()).toBe(700 * 9000)
    expect(Object.keys(await datesIn('3'))).toHaveLength(100)
    expect(await verify()).toMatchObject({ code: 0 })
  }, 60_000)
})

interface ZipPart {
  name: string
  /** Compressed. */
  data: Buffer
  size: number
  checksum?: number
}

/** Writes a ZIP. With `isShared`, all entries are the first one. */
async function writeDeflated(name: string, parts: readonly ZipPart[], isShared = false): Promise<string> {
  const path = join(folder, name)
  const [locals, directory]: [Buffer[], Buffer[]] = [[], []]
  let offset = 0
  for (const { name: file, data, size, checksum = 0 } of parts) {
    const header = Buffer.alloc(26)
    header.writeUInt16LE(20, 0)
    header.writeUInt16LE(8, 4)
    header.writeUInt32LE(checksum, 10)
    header.writeUInt32LE(data.length, 14)
    header.writeUInt32LE(size, 18)
    header.writeUInt16LE(file.length, 22)
    const isWritten = !isShared || locals.length === 0
    if (isWritten) locals.push(Buffer.from('PK\u0003\u0004'), header, Buffer.from(file), data)
    const at = Buffer.alloc(14)
    at.writeUInt32LE(isShared ? 0 : offset, 10)
    directory.push(Buffer.from('PK\u0001\u0002\u0014\0'), header, at, Buffer.from(file))
    if (isWritten) offset += 30 + file.length + data.length
  }
  const end = Buffer.alloc(18)
  end.writeUInt16LE(parts.length, 4)
  end.writeUInt16LE(parts.length, 6)
  end.writeUInt32LE(Buffer.concat(directory).length, 8)
  end.writeUInt32LE(offset, 12)
  await writeFile(path, Buffer.concat([...locals, ...directory, Buffer.from('PK\u0005\u0006'), end]))
  return path
}

describe('a hostile .zip archive', () => {
  it('is refused if it expands to fill the disk', async () => {
    const size = 256 * 1024 * 1024
    const data = deflateRawSync(Buffer.alloc(size), { level: 9 })
    const parts = Array.from({ length: 40 }, (_, index) => ({ name: `${index}.bin`, data, size }))
    const path = await writeDeflated('bomb.zip', parts)
    expect((await stat(path)).size).toBeLessThan(11_000_000)
    expect((await importTakeout(path)).errors).toEqual([
      expect.stringMatching(/bomb\.zip is refused: it expands to more than 200 times its size/),
    ])
    expect(await namesIn()).toEqual([])
  })

  it('is refused if its files share bytes', async () => {
    const content = randomBytes(50_000)
    const data = deflateRawSync(content)
    const parts = ['a', 'b', 'c'].map((name) => ({ name, data, size: content.length, checksum: crc32(content) }))
    expect(await importTakeout(await writeDeflated('fine.zip', parts))).toMatchObject({ code: 0 })
    expect((await importTakeout(await writeDeflated('shared.zip', parts, true))).errors).toEqual([
      expect.stringMatching(/shared\.zip is refused: its files share bytes/),
    ])
  })

  it('is refused if its names lead out of it', async () => {
    const path = await writeZip('escape.zip', { 'Takeout/x/y/evil.txt': 'evil' })
    const bytes = await readFile(path)
    await writeFile(path, Buffer.from(bytes.toString('latin1').replaceAll('Takeout/x/y/', '../../../../'), 'latin1'))
    expect((await importTakeout(path)).errors).toEqual([expect.stringMatching(/invalid relative path/)])
    expect(await namesIn()).toEqual([])
  })

  it('is refused if it is no archive', async () => {
    await writeFile(join(folder, 'broken.zip'), 'this is no archive')
    expect((await importTakeout(join(folder, 'broken.zip'))).errors).toEqual([
      expect.stringContaining("broken.zip can't be read: "),
    ])
  })

  it('has no more bytes of a file stored than it says', async () => {
    const content = Buffer.alloc(3_000_000, 7)
    const checksum = crc32(content.subarray(0, 100_000))
    const part = { name: 'bomb.bin', data: deflateRawSync(content), size: 100_000, checksum }
    const { printed } = await importTakeout(await writeDeflated('bomb.zip', [part]))
    expect(printed[2]).toMatch(/^ {2}bomb\.bin: it is damaged in the archive/)
    expect(await usedBytes()).toBe(0)
    expect(await verify()).toMatchObject({ code: 0 })
  })

  it.each([
    ['small', 1000],
    ['large', 200_000],
  ])('has a %s file skipped whose bytes have changed', async (_size, size) => {
    const content = randomBytes(size)
    const part = { name: 'changed.bin', data: deflateRawSync(content), size, checksum: (crc32(content) ^ 1) >>> 0 }
    const { printed } = await importTakeout(await writeDeflated('t.zip', [part]))
    expect(printed[2]).toBe('  changed.bin: it is damaged in the archive')
    expect(await usedBytes()).toBe(0)
  })
})
