import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const MEBIBYTE = 1024 * 1024

/**
 * A process of its own, whose memory nothing else changes. It allocates native memory in turns for two databases, and frees one of
 * them. It prints its memory before, with both, and as soon as half of the freed memory has been returned, or after a second.
 */
const SCRIPT = `
  import { DatabaseSync } from 'node:sqlite'
  import { setTimeout as wait } from 'node:timers/promises'
  const { returnMemoryIfTight } = await import(process.argv[1])
  const { rss } = process.memoryUsage
  const before = rss()
  const [freed, kept] = [new DatabaseSync(':memory:'), new DatabaseSync(':memory:')]
  const inserts = [freed, kept].map((database) => {
    database.exec('create table pieces (bytes blob)')
    return database.prepare('insert into pieces values (zeroblob(?))')
  })
  for (let index = 0; index < 1000; index += 1) for (const insert of inserts) insert.run(64 * 1024)
  const both = rss()
  returnMemoryIfTight(process.argv[2] === 'tight', 50)
  // What is freed afterwards makes it look again.
  const more = Buffer.alloc(${32 * MEBIBYTE}, 1)
  freed.close()
  for (let turn = 0; turn < 20 && rss() - more.length > before + (both - before) * 0.75; turn += 1) await wait(50)
  console.log(JSON.stringify({ before, both, after: rss() - more.length }))
`

async function run(memory: 'tight' | 'enough') {
  const url = new URL('./tight-memory.ts', import.meta.url).href
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', SCRIPT, url, memory])
  const { before, both, after } = JSON.parse(stdout) as { before: number; both: number; after: number }
  expect(both).toBeGreaterThan(before + 100 * MEBIBYTE)
  return (after - before) / (both - before)
}

it.runIf(process.platform === 'linux')('returns freed native memory between memory that is in use', async () => {
  expect(await run('tight')).toBeLessThan(0.75)
})

it('leaves memory alone if there is enough of it', async () => {
  expect(await run('enough')).toBeGreaterThan(0.85)
})
