import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { SegmentFailedError, SegmentLeftError, SegmentMaker, type SegmentOrder } from './segment-maker.ts'

let folder: string
const never = new AbortController().signal
const order: SegmentOrder = { blobKey: 'key', name: '0.ts', arguments: [], group: 'someone' }

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'alcove-maker-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** Creates a maker whose ffmpeg is a shell script. */
async function makerWith(script: string, options = {}): Promise<SegmentMaker> {
  await writeFile(join(folder, 'ffmpeg'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return new SegmentMaker(join(folder, 'segments'), join(folder, 'ffmpeg'), options)
}
const make = (maker: SegmentMaker, index = 0, signal = never) =>
  maker.make({ ...order, name: `${index}.ts` }, (work) => work(Buffer.from('content')), signal)
const started = () =>
  readFile(join(folder, 'pids'), 'utf8').then(
    (text) => text.trim().split('\n').map(Number),
    () => [],
  )
const HANGS = 'echo $$ >>"$(dirname "$0")/pids"; exec sleep 600'

async function expectGone(pids: readonly number[]): Promise<void> {
  for (const pid of pids) {
    await expect
      .poll(async () => (await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') Z ')).includes(') Z '))
      .toBe(true)
  }
}

it('kills a hanging ffmpeg after the time limit and leaves no file', async () => {
  const maker = await makerWith(HANGS, { timeout: 3000 })
  await expect(make(maker)).rejects.toBeInstanceOf(SegmentFailedError)
  expect((await started()).length).toBe(1)
  await expectGone(await started())
  expect(await readdir(join(folder, 'segments', 'key'))).toEqual([])
})

it('kills ffmpeg when all requesters have left, and then makes the next segment', async () => {
  const maker = await makerWith(HANGS)
  const [one, other] = [new AbortController(), new AbortController()]
  const requested = [make(maker, 0, one.signal), make(maker, 0, other.signal)]
  const left = Promise.allSettled(requested)
  await expect.poll(started).toHaveLength(1)
  one.abort()
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect((await readFile(`/proc/${(await started())[0]}/stat`, 'utf8')).length).toBeGreaterThan(0)
  const next = make(await makerWithSame(maker), 1)
  other.abort()
  expect((await left).map((result) => result.status === 'rejected' && result.reason)).toEqual([
    expect.any(SegmentLeftError),
    expect.any(SegmentLeftError),
  ])
  await expectGone((await started()).slice(0, 1))
  expect(await next).toContain('1.ts')
})

/** Replaces ffmpeg with a script that writes a packet without sound or pictures. */
async function makerWithSame(maker: SegmentMaker): Promise<SegmentMaker> {
  await writeFile(join(folder, 'ffmpeg'), `#!/bin/sh\nprintf 'G%0187d' 0\n`, { mode: 0o755 })
  return maker
}

it('limits how many ffmpeg processes run and drops waiting requests that are aborted', async () => {
  const maker = await makerWith(HANGS)
  const gone = new AbortController()
  const requested = Promise.allSettled(Array.from({ length: 20 }, (_, index) => make(maker, index, gone.signal)))
  await expect.poll(started).not.toEqual([])
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect((await started()).length).toBeLessThan(20)
  gone.abort()
  expect((await requested).every(({ status }) => status === 'rejected')).toBe(true)
  await expectGone(await started())
})

it('keeps the segments used last within the size limit and removes the others', async () => {
  const maker = await makerWith(`printf 'G%0187d' 0`, { maxBytes: 188 * 5 })
  for (let index = 0; index < 8; index++) {
    await make(maker, index)
    await new Promise((resolve) => setTimeout(resolve, 15))
  }
  const kept = (await readdir(join(folder, 'segments', 'key'))).sort()
  expect(kept.length).toBeLessThanOrEqual(5)
  expect(kept).toContain('7.ts')
  expect(kept).not.toContain('0.ts')
  await maker.store.sweep(Date.now() + 48 * 3_600_000, async (keys) => new Set(keys))
  expect(await readdir(join(folder, 'segments', 'key'))).toEqual([])
  await maker.store.sweep(Date.now(), async () => new Set())
  expect(await readdir(join(folder, 'segments'))).toEqual([])
})
