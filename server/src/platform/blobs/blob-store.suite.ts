import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BlobStore, ChunkTooLargeError, createBlobKey, MAX_COLLECTED } from './blob-store.ts'

const MAX = 1_000_000

/** Defines the tests that every blob store has to pass. */
export function describeBlobStore(
  name: string,
  open: () => Promise<{ store: BlobStore; close: () => Promise<void> }>,
): void {
  describe(name, () => {
    let store: BlobStore
    let close: () => Promise<void>
    beforeAll(async () => {
      ;({ store, close } = await open())
    })
    afterAll(() => close())

    async function read(key: string): Promise<Buffer> {
      return Buffer.concat(await store.openStream(key).toArray())
    }

    async function readPart(key: string, start: number, end: number): Promise<Buffer> {
      const sink = new PassThrough()
      const collected = sink.toArray()
      await store.send(key, { start, end }, () => sink)
      sink.end()
      return Buffer.concat(await collected)
    }

    const parts = [randomBytes(700_000), randomBytes(700_000), randomBytes(5)] as const
    const whole = Buffer.concat(parts)
    const sizes = parts.map((part) => part.length)

    it('returns the bytes of chunks that were written in any order', async () => {
      const key = createBlobKey()
      for (const index of [2, 0, 1]) {
        const bytes = Readable.from([parts[index]])
        expect(await store.writeChunk(key, { index, offset: index * 700_000 }, bytes, MAX)).toBe(parts[index]?.length)
      }
      await store.seal(key, sizes)
      expect((await read(key)).equals(whole)).toBe(true)
      expect((await readPart(key, 699_999, 700_000)).equals(whole.subarray(699_999, 700_001))).toBe(true)
    })

    it('moves staged and parked chunks to their places', async () => {
      const key = createBlobKey()
      const staged = await Promise.all(parts.map((part) => store.stageChunk(Readable.from([part]), MAX)))
      await store.placeChunk(key, { index: 2, offset: undefined }, staged[2] as never)
      await store.placeChunk(key, { index: 1, offset: 700_000 }, staged[1] as never)
      await store.placeChunk(key, { index: 0, offset: 0 }, staged[0] as never)
      for (let twice = 0; twice < 2; twice++) await store.unparkChunk(key, { index: 2, offset: 1_400_000 })
      await store.dropParkedChunk(key)
      await store.seal(key, sizes)
      expect((await read(key)).equals(whole)).toBe(true)
    })

    it('truncates what is left of an earlier, longer last chunk', async () => {
      const key = createBlobKey()
      await store.writeChunk(key, { index: 0, offset: 0 }, Readable.from([parts[0]]), MAX)
      await store.writeChunk(key, { index: 0, offset: 0 }, Readable.from([parts[2]]), MAX)
      await store.seal(key, [5])
      expect((await read(key)).equals(parts[2])).toBe(true)
    })

    it('refuses to seal a blob that is missing or too short', async () => {
      await expect(store.seal(createBlobKey(), [1])).rejects.toThrow()
      const key = createBlobKey()
      await store.writeChunk(key, { index: 0, offset: 0 }, Readable.from([parts[2]]), MAX)
      await expect(store.seal(key, [6])).rejects.toThrow()
    })

    it('writes nothing beyond the maximum size of a chunk', async () => {
      const key = createBlobKey()
      await store.writeChunk(key, { index: 1, offset: 10 }, Readable.from([Buffer.from('neighbour')]), MAX)
      const tooMuch = store.writeChunk(
        key,
        { index: 0, offset: 0 },
        Readable.from([Buffer.alloc(8), Buffer.alloc(8)]),
        10,
      )
      await expect(tooMuch).rejects.toThrow(ChunkTooLargeError)
      await store.writeChunk(key, { index: 0, offset: 0 }, Readable.from([Buffer.alloc(10)]), 10)
      await store.seal(key, [10, 9])
      expect((await read(key)).subarray(10).toString()).toBe('neighbour')
    })

    it('stores one of two concurrent uploads of the same chunk without mixing them', async () => {
      const key = createBlobKey()
      const [a, b] = [Buffer.alloc(900_000, 'a'), Buffer.alloc(900_000, 'b')]
      const slices = (bytes: Buffer) => Readable.from([bytes.subarray(0, 300_000), bytes.subarray(300_000)])
      await Promise.all([a, b].map((bytes) => store.writeChunk(key, { index: 0, offset: 0 }, slices(bytes), MAX)))
      await store.seal(key, [900_000])
      const stored = await read(key)
      expect(stored.equals(a) || stored.equals(b)).toBe(true)
    })

    it('rejects if the stream of a chunk fails', async () => {
      const bytes = new PassThrough()
      const writing = store.writeChunk(createBlobKey(), { index: 0, offset: 0 }, bytes, MAX)
      bytes.write('some')
      bytes.destroy(new Error('aborted'))
      await expect(writing).rejects.toThrow('aborted')
    })

    it('writes a complete small blob, even an empty one', async () => {
      const key = createBlobKey()
      await store.writeWhole(key, parts[2])
      expect((await read(key)).equals(parts[2])).toBe(true)
      const empty = createBlobKey()
      await store.writeWhole(empty, Buffer.alloc(0))
      expect((await read(empty)).length).toBe(0)
      await store.seal(key, [parts[2].length])
      await store.seal(empty, [0])
      expect((await read(key)).equals(parts[2])).toBe(true)
      await expect(store.seal(key, [parts[2].length + 1])).rejects.toThrow()
    })

    it('reads small blobs, and only those, without a stream', async () => {
      const [small, large] = [createBlobKey(), createBlobKey()]
      await store.writeWhole(small, parts[2])
      await store.streamWhole(large, Readable.from([parts[0]]), MAX)
      expect(Buffer.from(store.readSmall(small) ?? (await read(small))).equals(parts[2])).toBe(true)
      expect(store.readSmall(large)).toBeUndefined()
      expect(store.readSmall(createBlobKey())).toBeUndefined()
    })

    it('returns the size of a blob, or undefined if it is missing', async () => {
      const [small, large] = [createBlobKey(), createBlobKey()]
      await store.writeWhole(small, parts[2])
      await store.streamWhole(large, Readable.from([parts[0]]), MAX)
      expect(await Promise.all([small, large, createBlobKey()].map((key) => store.sizeOf(key)))).toEqual([
        5,
        700_000,
        undefined,
      ])
      expect(await store.isEmpty()).toBe(false)
    })

    it('writes and removes many small blobs at the same time', async () => {
      const blobs = Array.from({ length: 200 }, (_, index) => ({
        key: createBlobKey(),
        bytes: randomBytes(index * 50),
      }))
      await Promise.all(blobs.map(({ key, bytes }) => store.writeWhole(key, bytes)))
      const [gone, kept] = [blobs.slice(0, 100), blobs.slice(100)]
      await Promise.all(gone.map(({ key }) => store.remove(key)))
      for (const { key, bytes } of kept) expect((await read(key)).equals(bytes)).toBe(true)
      await expect(read((gone[50] as { key: string }).key)).rejects.toThrow()
      const [{ key, bytes }] = kept.slice(-1) as [(typeof blobs)[number]]
      expect((await readPart(key, 17, 4999)).equals(bytes.subarray(17, 5000))).toBe(true)
    })

    it('copies a file of another program, whatever its mode, and counts its bytes', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'alcove-copied-'))
      const source = join(folder, 'source')
      await writeFile(source, whole, { mode: 0o400 })
      const key = createBlobKey()
      let counted = 0
      const size = await store.copyFile(key, source, whole.length, (bytes) => {
        counted += bytes
      })
      expect([size, counted]).toEqual([whole.length, whole.length])
      expect((await read(key)).equals(whole)).toBe(true)
      await rm(folder, { recursive: true })
      expect((await readPart(key, 5, 9)).equals(whole.subarray(5, 10))).toBe(true)
    })

    it('rejects if the reader disconnects', async () => {
      const key = createBlobKey()
      await store.writeWhole(key, parts[0])
      const gone = new PassThrough({ highWaterMark: 1 })
      const sending = store.send(key, { start: 0, end: 699_999 }, () => gone)
      gone.destroy()
      await expect(sending).rejects.toThrow()
    })

    it('sends ranges of blobs of about the size up to which they are kept together', async () => {
      for (const size of [MAX_COLLECTED - 1, MAX_COLLECTED, MAX_COLLECTED + 1]) {
        const key = createBlobKey()
        const bytes = randomBytes(size)
        await store.writeWhole(key, bytes)
        for (const start of [0, size - 1]) expect(await readPart(key, start, size - 1)).toEqual(bytes.subarray(start))
      }
    })

    it('removes a blob, and ignores one that is missing', async () => {
      const key = createBlobKey()
      await store.writeWhole(key, parts[2])
      for (let twice = 0; twice < 2; twice++) await store.remove(key)
      await expect(read(key)).rejects.toThrow()
    })

    it('sweeps old blobs that nothing uses, and nothing else', async () => {
      const [used, unused] = [createBlobKey(), createBlobKey()]
      for (const key of [used, unused]) await store.writeWhole(key, parts[2])
      const staged = await store.stageChunk(Readable.from([parts[0]]), MAX)
      const isUsed = async (keys: string[]) =>
        new Set(keys.filter((key) => key !== unused && key !== staged.stagingKey))
      expect(await store.sweep(Date.now() - 60_000, isUsed)).toBe(0)
      expect(await store.sweep(Date.now() + 60_000, isUsed)).toBe(2)
      expect((await read(used)).equals(parts[2])).toBe(true)
      await expect(read(unused)).rejects.toThrow()
      await store.remove(randomUUID())
    })
  })
}
