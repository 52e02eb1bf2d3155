import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { ProcessPool } from './process-pool.ts'
import { WorkTimedOutError } from './work-process.ts'

/** Work that waits for a file to appear, loops forever, or returns the OOM score of its process. */
const WORK = `
import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { serveWork } from '${pathToFileURL(join(import.meta.dirname, 'serve-work.ts'))}'
serveWork(async ({ until, spin }) => {
  while (spin) {}
  while (until && !existsSync(until)) await wait(5)
  return { oomScore: readFileSync('/proc/self/oom_score_adj', 'utf8').trim() }
})
`
type Input = { until?: string; spin?: boolean }

let folder: string
let script: URL
let pool: ProcessPool<Input, { oomScore: string }>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'alcove-pool-'))
  script = pathToFileURL(join(folder, 'work.ts'))
  await writeFile(script, WORK)
})
afterEach(() => pool.close())
afterAll(() => rm(folder, { recursive: true }))

const open = (size: number, timeout = 60_000) => {
  pool = new ProcessPool({ script, size, timeout, maxWaiting: 10 })
}

it.skipIf(process.platform !== 'linux')(
  'never gives all processes to one group, so that others can work meanwhile',
  async () => {
    open(2)
    const until = join(folder, 'go')
    const slow = [1, 2, 3].map(() => pool.run({ until }, { group: 'a' }))
    const order: string[] = []
    for (const work of slow) void work.then(() => order.push('slow'))
    await pool.run({}, { group: 'b' })
    expect(order).toEqual([])
    await writeFile(until, '')
    await Promise.all(slow)
  },
)

it.skipIf(process.platform !== 'linux')(
  'ends work that has used up its processor time and continues with the next',
  async () => {
    open(1, 300)
    await expect(pool.run({ spin: true }, { group: 'a' })).rejects.toThrow(WorkTimedOutError)
    expect(await pool.run({}, { group: 'b' })).toBeDefined()
  },
)

it.skipIf(process.platform !== 'linux')(
  'gives its processes the OOM score that ends them first when memory runs out',
  async () => {
    open(1)
    const { oomScore } = await pool.run({}, { group: 'a' })
    expect(oomScore).toBe('1000')
    expect((await readFile('/proc/self/oom_score_adj', 'utf8')).trim()).not.toBe('1000')
  },
)
