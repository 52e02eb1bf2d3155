import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { afterAll, expect, it } from 'vitest'
import { digestBytes } from './checksums.ts'
import { StreamHasher } from './stream-hasher.ts'

const hasher = new StreamHasher()
afterAll(() => hasher.close())

it.each([0, 1, 131_071, 131_072, 131_073, 1_000_000])(
  'returns the digests of %s bytes however they are split',
  async (size) => {
    const bytes = randomBytes(size)
    for (const piece of [7_919, 65_536, 300_000]) {
      const hash = hasher.open()
      for (let start = 0; start < size; start += piece) await hash.update(bytes.subarray(start, start + piece))
      expect(await hash.digest()).toEqual(digestBytes(bytes))
    }
  },
)

it('hashes many streams at once, of which some break off', async () => {
  const streams = Array.from({ length: 100 }, () => ({ bytes: randomBytes(200_000), hash: hasher.open() }))
  for (let start = 0; start < 200_000; start += 50_000) {
    await Promise.all(streams.map(({ bytes, hash }) => hash.update(bytes.subarray(start, start + 50_000))))
  }
  for (const { hash } of streams.slice(50)) hash.drop()
  for (const { bytes, hash } of streams.slice(0, 50)) expect(await hash.digest()).toEqual(digestBytes(bytes))
})

it('fails the open streams when it is closed, and hashes again afterwards', async () => {
  const closing = new StreamHasher()
  const hash = closing.open()
  await hash.update(randomBytes(1000))
  await closing.close()
  await expect(hash.digest()).rejects.toThrow()
  const next = closing.open()
  expect(await next.digest()).toEqual(digestBytes(Buffer.alloc(0)))
  await closing.close()
})

it('ends its threads when it is idle, and hashes again afterwards', async () => {
  const threads: Worker[] = []
  const add = (thread: Worker) => threads.push(thread)
  process.on('worker', add)
  const resting = new StreamHasher(50)
  try {
    for (const _ of [1, 2]) {
      expect(await resting.open().digest()).toEqual(digestBytes(Buffer.alloc(0)))
      await Promise.all(threads.splice(0).map((thread) => once(thread, 'exit')))
    }
  } finally {
    process.off('worker', add)
    await resting.close()
  }
})
