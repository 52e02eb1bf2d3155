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

it('a database is whole from the moment it is there, for others who begin to read and write then', async () => {
  const path = join(folder, 'small.sqlite')
  const [first, second] = [new SmallBlobs(path), new SmallBlobs(path)]
  const written = first.write('one', Buffer.from('1'))
  while (!existsSync(path)) await turn()
  // In WAL mode (bytes 18 and 19 of the header, 2 each; https://www.sqlite.org/fileformat.html), which is not turned on under a reader's feet.
  expect([...readFileSync(path).subarray(18, 20)]).toEqual([2, 2])
  expect(second.read('two')).toBeUndefined()
  await Promise.all([written, second.write('two', Buffer.from('2'))])
  expect(String(first.read('two')) + String(second.read('one'))).toBe('21')
  await Promise.all([first.close(), second.close()])
  // Nothing of its making is left. Its log may be: of two that close at the same moment neither takes it away.
  expect(readdirSync(folder).filter((name) => !/-(wal|shm)$/.test(name))).toEqual(['small.sqlite'])
})
