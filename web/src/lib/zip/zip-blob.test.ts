import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { crc32 } from './crc32.ts'
import { zipBlob } from './zip-blob.ts'

const modified = new Date(2026, 2, 3, 4, 5, 6)

/** The entries of a ZIP as its directory has them, with the bytes that they point to. */
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

it('holds files by their paths, empty ones too', async () => {
  const files = [
    { path: 'Trip/día 1/a.txt', content: 'one' },
    { path: 'b', content: '' },
  ]
  const zip = await zipBlob(files.map(({ path, content }) => ({ path, content: new Blob([content]), modified })))
  expect(await read(zip)).toEqual(files)
  expect(await read(await zipBlob([]))).toEqual([])
})

it.runIf(spawnSync('python3', ['--version']).status === 0)('is read by others', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'alcove-zip-'))
  const path = join(folder, 'a.zip')
  const content = new Blob([new Uint8Array(300_000).fill(5)])
  writeFileSync(path, await (await zipBlob([{ path: 'ö/a.bin', content, modified }])).bytes())
  const script = `import sys,zipfile; z=zipfile.ZipFile(sys.argv[1]); i=z.infolist()[0]; print(z.testzip(), ascii(i.filename), i.file_size, i.date_time)`
  const { stdout } = spawnSync('python3', ['-c', script, path])
  rmSync(folder, { recursive: true })
  expect(stdout.toString().trim()).toBe("None '\\xf6/a.bin' 300000 (2026, 3, 3, 4, 5, 6)")
})

it('fails as a whole when a file cannot be read', async () => {
  const stream = () => new ReadableStream({ start: (controller) => controller.error(new Error('gone')) })
  const broken = { stream, size: 1 } as unknown as Blob
  await expect(zipBlob([{ path: 'a', content: broken, modified }])).rejects.toThrow('gone')
})
