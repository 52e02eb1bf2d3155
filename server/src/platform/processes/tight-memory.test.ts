import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, expect, it, vi } from 'vitest'
import { returnMemoryIfTight } from './tight-memory.ts'

const MEBIBYTE = 1024 * 1024
const { rss } = process.memoryUsage

let stop = () => {}
afterEach(() => stop())

/** Allocates native memory in turns for two databases, and frees one of them. Returns a function that frees the other. */
function fragmentMemory(): () => void {
  const [freed, kept] = [new DatabaseSync(':memory:'), new DatabaseSync(':memory:')]
  const inserts = [freed, kept].map((database) => {
    database.exec('create table pieces (bytes blob)')
    return database.prepare('insert into pieces values (zeroblob(?))')
  })
  for (let index = 0; index < 1000; index += 1) for (const insert of inserts) insert.run(64 * 1024)
  freed.close()
  return () => kept.close()
}

it.runIf(process.platform === 'linux')('returns freed native memory between memory that is in use', async () => {
  const before = rss()
  stop = returnMemoryIfTight(true, 50)
  const free = fragmentMemory()
  expect(rss()).toBeGreaterThan(before + 100 * MEBIBYTE)
  await vi.waitFor(() => expect(rss()).toBeLessThan(before + 90 * MEBIBYTE), 10_000)
  free()
})

it('leaves memory alone if there is enough of it', async () => {
  stop = returnMemoryIfTight(false, 50)
  const free = fragmentMemory()
  const before = rss()
  await wait(500)
  expect(rss()).toBeGreaterThan(before - 20 * MEBIBYTE)
  free()
})
