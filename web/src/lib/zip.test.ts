import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 as reference } from 'node:zlib'
import { expect, it } from 'vitest'
import { crc32, zipBlob, zipRecords } from './zip.ts'

const modified = new Date(2026, 2, 3, 4, 5, 6)

/** Reads the entries in the central directory of a ZIP, with the content of each file. */
async function read(zip: Blob) {
  const bytes = Buffer.from(await zip.arrayBuffer())
  const end = bytes.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  const count = bytes.readUInt16LE(end + 10)
  const entries = []
  let at = bytes.readUInt32LE(end + 16)
  for (let index = 0; index < count; index++) {
    const [sum, size, nameLength, extraLength] = [16, 24, 28, 30].map((place) =>
      place < 28 ? bytes.readUInt32LE(at + place) : bytes.readUInt16LE(at + place),
    ) as [number, number, number, number]
    const offset = bytes.readUInt32LE(at + 42)
    const start = offset + 30 + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28)
    const content = bytes.subarray(start, start + size)
    expect(crc32(content)).toBe(sum)
    entries.push({ path: bytes.toString('utf8', at + 46, at + 46 + nameLength), content: content.toString() })
    at += 46 + nameLength + extraLength
  }
  return entries
}

it('stores files with their paths, including empty files', async () => {
  const files = [
    { path: 'Trip/día 1/a.txt', content: 'one' },
    { path: 'b', content: '' },
  ]
  const zip = await zipBlob(files.map(({ path, content }) => ({ path, content: new Blob([content]), modified })))
  expect(await read(zip)).toEqual(files)
  expect(await read(await zipBlob([]))).toEqual([])
})

it.runIf(spawnSync('python3', ['--version']).status === 0)('creates a ZIP that Python can read', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'alcove-zip-'))
  const path = join(folder, 'a.zip')
  const content = new Blob([new Uint8Array(300_000).fill(5)])
  writeFileSync(path, await (await zipBlob([{ path: 'ö/a.bin', content, modified }])).bytes())
  const script = `import sys,zipfile; z=zipfile.ZipFile(sys.argv[1]); i=z.infolist()[0]; print(z.testzip(), ascii(i.filename), i.file_size, i.date_time)`
  const { stdout } = spawnSync('python3', ['-c', script, path])
  rmSync(folder, { recursive: true })
  expect(stdout.toString().trim()).toBe("None '\\xf6/a.bin' 300000 (2026, 3, 3, 4, 5, 6)")
})

it("rejects when a file can't be read", async () => {
  const stream = () => new ReadableStream({ start: (controller) => controller.error(new Error('gone')) })
  const broken = { stream, size: 1 } as unknown as Blob
  await expect(zipBlob([{ path: 'a', content: broken, modified }])).rejects.toThrow('gone')
})

it('stores dates in UTC until January 2038, and later ones in the MS-DOS format alone', () => {
  const extraOf = (time: number) => {
    const [head] = zipRecords([{ path: 'a', size: 0, sum: 0, modified: new Date(time) }]).heads
    const extra = (head as Uint8Array).subarray(31)
    return extra.length === 0 ? undefined : [view(extra).getUint16(0, true), view(extra).getInt32(5, true)]
  }
  expect(extraOf(Date.UTC(1975, 0, 1) + 999)).toEqual([0x5455, Date.UTC(1975, 0, 1) / 1000])
  expect(extraOf((2 ** 31 - 1) * 1000)).toEqual([0x5455, 2 ** 31 - 1])
  expect(extraOf(2 ** 31 * 1000)).toBeUndefined()
})

/** The size of the field with the date in UTC. */
const DATE = 9
const HUGE = 5 * 2 ** 32 + 7

const view = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

it('writes the size of a file over 4 GiB and the offset of the next file to ZIP64 fields', () => {
  const { heads, end } = zipRecords([
    { path: 'huge', size: HUGE, sum: 1, modified },
    { path: 'next', size: 3, sum: 2, modified },
  ])
  const [first, next] = heads as [Uint8Array, Uint8Array]
  expect(view(first).getUint32(18, true)).toBe(0xffffffff)
  expect(view(first).getUint16(28, true)).toBe(DATE + 20)
  expect(view(first).getBigUint64(30 + 4 + DATE + 4, true)).toBe(BigInt(HUGE))
  expect(next.length).toBe(30 + 4 + DATE)

  const place = BigInt(first.length + HUGE)
  const entry = 46 + 4 + DATE + 20
  expect(view(end).getUint32(entry + 24, true)).toBe(3)
  expect(view(end).getUint32(entry + 42, true)).toBe(0xffffffff)
  expect(view(end).getBigUint64(entry + 46 + 4 + DATE + 4, true)).toBe(place)
  const list = BigInt(entry + 46 + 4 + DATE + 12)
  expect(view(end).getUint32(Number(list), true)).toBe(0x06064b50)
  expect(view(end).getBigUint64(Number(list) + 40, true)).toBe(list)
  expect(view(end).getBigUint64(Number(list) + 48, true)).toBe(place + BigInt(next.length + 3))
})

it('supports more than 65,535 files', () => {
  const { end } = zipRecords(
    Array.from({ length: 70_000 }, (_, index) => ({ path: `${index}`, size: 0, sum: 0, modified })),
  )
  expect(view(end).getUint16(end.length - 12, true)).toBe(0xffff)
  expect(view(end).getBigUint64(end.length - 22 - 20 - 56 + 24, true)).toBe(70_000n)
})

it('computes the same CRC-32 as zlib for any length and in parts', () => {
  const bytes = Uint8Array.from({ length: 1000 }, (_, index) => (index * 131 + (index >> 3)) & 255)
  for (const length of [0, 1, 2, 3, 4, 5, 7, 8, 999, 1000]) {
    expect(crc32(bytes.subarray(0, length))).toBe(reference(bytes.subarray(0, length)))
  }
  expect(crc32(bytes.subarray(13), crc32(bytes.subarray(0, 13)))).toBe(reference(bytes))
})
