import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { SmallBlobs } from './small-blobs.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'alcove-small-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

it('creates a database that others can read and write as soon as its file exists', async () => {
  const path = join(folder, 'small.sqlite')
  const [first, second] = [new SmallBlobs(path), new SmallBlobs(path)]
  const written = first.write('one', Buffer.from('1'))
  while (!existsSync(path)) await turn()
  // It is in WAL mode: bytes 18 and 19 of the header are 2 (https://www.sqlite.org/fileformat.html). The mode must not change
  // while others read.
  expect([...readFileSync(path).subarray(18, 20)]).toEqual([2, 2])
  expect(second.read('two')).toBeUndefined()
  await Promise.all([written, second.write('two', Buffer.from('2'))])
  expect(String(first.read('two')) + String(second.read('one'))).toBe('21')
  await Promise.all([first.close(), second.close()])
  // No temporary files are left. The log may be left: if two close at the same moment, neither removes it.
  expect(readdirSync(folder).filter((name) => !/-(wal|shm)$/.test(name))).toEqual(['small.sqlite'])
})
