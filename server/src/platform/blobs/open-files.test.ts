import { mkdtemp, readdir, readlink, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { OpenFiles } from './open-files.ts'

let folder: string
let files: OpenFiles
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'alcove-open-'))
  files = new OpenFiles()
})
afterEach(async () => {
  files.close()
  await rm(folder, { recursive: true })
})

// The files of a process can only be listed there.
const itOnLinux = it.skipIf(process.platform !== 'linux')

const pathOf = (name: string) => join(folder, name)
const read = (name: string) =>
  files.use(pathOf(name), async (file) => (await file.read(Buffer.alloc(9), 0, 9, 0)).bytesRead)

/** Returns how many files of the folder this process has open. */
async function countOpen(): Promise<number> {
  const links = await Promise.all(
    (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
  )
  return links.filter((path) => path.startsWith(folder)).length
}

itOnLinux('opens a file once for several uses, also at once', async () => {
  await writeFile(pathOf('a'), '12345')
  expect(await Promise.all([read('a'), read('a')])).toEqual([5, 5])
  expect(await read('a')).toBe(5)
  expect(await countOpen()).toBe(1)
})

it('finds a file that was missing before', async () => {
  await expect(read('a')).rejects.toThrow('ENOENT')
  await writeFile(pathOf('a'), '12345')
  expect(await read('a')).toBe(5)
})

itOnLinux('closes a removed file at once, or after its use', async () => {
  await writeFile(pathOf('a'), '12345')
  await read('a')
  files.forget(pathOf('a'))
  await expect.poll(countOpen).toBe(0)
  await files.use(pathOf('a'), async (file) => {
    files.forget(pathOf('a'))
    expect((await file.read(Buffer.alloc(9), 0, 9, 0)).bytesRead).toBe(5)
  })
  await expect.poll(countOpen).toBe(0)
})

itOnLinux('keeps only the files open that were used last', async () => {
  const names = Array.from({ length: 100 }, (_, index) => `file-${index}`)
  for (const name of names) {
    await writeFile(pathOf(name), '12345')
    await read(name)
  }
  await expect.poll(countOpen).toBeLessThanOrEqual(64)
  expect(await read('file-0')).toBe(5)
})
