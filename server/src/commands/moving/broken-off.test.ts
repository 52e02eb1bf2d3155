import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { environmentOf } from '../../testing/clients/operator.ts'
import {
  contentOf,
  file,
  migrate,
  open,
  s3,
  setUpMoving,
  source,
  store,
  target,
} from '../../testing/factories/moving.ts'

setUpMoving()

const CLI = join(import.meta.dirname, '../../cli.ts')
const FILES = 40

interface Killed {
  /** Null if the program ended before it was killed. */
  signal: NodeJS.Signals | null
  output: string
}

/** Runs the program and kills it, as a power cut does, once it has printed a text or when `onStart` decides to. */
async function migrateUntil(words: string | undefined, onStart?: (child: ChildProcess) => void): Promise<Killed> {
  const environment = { PATH: process.env.PATH, ...environmentOf(source.services.config) }
  const child = spawn(process.execPath, [CLI, 'migrate-to', file], { env: environment })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text: Buffer) => {
      output += text.toString()
      if (words !== undefined && output.includes(words)) child.kill('SIGKILL')
    })
  }
  onStart?.(child)
  await once(child, 'exit')
  return { signal: child.signalCode, output }
}

/** Kills the program when it sends the given upload to the store. */
function killAtUpload(number: number): (child: ChildProcess) => void {
  return (child) => {
    let puts = 0
    s3.fault = (request) => {
      if (request.method === 'PUT') puts += 1
      if (puts === number) child.kill('SIGKILL')
      return false
    }
  }
}

// Only the fake store can report requests.
it.skipIf(process.env.ALCOVE_TEST_S3_ENDPOINT)(
  'resumes an interrupted move at every stage and copies no blob twice',
  { timeout: 120_000 },
  async () => {
    const contents = new Map<string, Buffer<ArrayBuffer>>()
    for (let index = 0; index < FILES; index++) {
      const content = randomBytes(index % 2 === 0 ? 160_000 : 800)
      contents.set(`${index}.bin`, content)
      await store(`${index}.bin`, content)
    }
    // Half of the files have no digest yet. The move computes it.
    await source.stop()

    // Kills it twice while it copies. It sends up to 16 at a time, so at least nine have arrived when it sends the 25th.
    for (const number of [25, 5]) {
      const killed = await migrateUntil(undefined, killAtUpload(number))
      expect(killed.signal, killed.output).toBe('SIGKILL')
    }
    const puts = countPuts()
    // Kills it while it moves the rows and after it has moved them.
    for (const words of ['Moving the rows', 'Checking the target']) {
      const { output } = await migrateUntil(words)
      expect(output).toContain(words)
    }
    expect(await migrate()).toMatchObject({ code: 0 })
    // Blobs that had arrived before were not sent again.
    expect(puts().size).toBeLessThan(FILES - 8)
    expect([...puts().values()].every((times) => times === 1)).toBe(true)

    const moved = await open(target)
    for (const [name, content] of contents) expect(sha256(await contentOf(moved, name)), name).toBe(sha256(content))
  },
)

/** Starts to count how often each object is sent. */
function countPuts(): () => Map<string, number> {
  const puts = new Map<string, number>()
  s3.fault = (request) => {
    const { method, url = '' } = request
    if (method === 'PUT') puts.set(url, (puts.get(url) ?? 0) + 1)
    return false
  }
  return () => puts
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
