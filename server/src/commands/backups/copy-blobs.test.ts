import { createHash, hash, randomBytes } from 'node:crypto'
import { mkdtemp, rm, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { measureBlob } from '../../modules/storage/blob-damage.ts'
import { BlobArchive, type BlobReplica, StoreReplica } from '../../platform/blobs/blob-replica.ts'
import type { BlobStore } from '../../platform/blobs/blob-store.ts'
import { DiskBlobStore } from '../../platform/blobs/disk-blob-store.ts'
import { openTestStore } from '../../testing/engines/s3-store.ts'
import { Progress } from '../progress.ts'
import { restoreBlobs } from './copy-blobs.ts'

let folder: string
let archive: BlobArchive
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'alcove-archive-'))
  archive = new BlobArchive(join(folder, 'archive'))
})
afterEach(async () => {
  await archive.close()
  await rm(folder, { recursive: true, force: true })
})

const progress = new Progress({ what: 'Restored', unit: 'blobs' }, { tell: () => {} })

async function* iterate<T>(...values: T[]) {
  yield* values
}

/** Stores a blob of some MiB in the archive. */
async function archiveLarge(key: string, size: number) {
  const mebibyte = randomBytes(2 ** 20)
  const content = Array.from({ length: Math.ceil(size / 2 ** 20) }, (_, index) =>
    mebibyte.subarray(0, Math.min(2 ** 20, size - index * 2 ** 20)),
  )
  const sha256 = content.reduce((digest, part) => digest.update(part), createHash('sha256')).digest('hex')
  expect(await archive.keep({ key, size, sha256 }, Readable.from(content))).toEqual({ sha256 })
  return { key, size, sha256 }
}

interface Target {
  store: BlobStore
  replica: BlobReplica
  close(): Promise<void>
}

async function openDisk(): Promise<Target> {
  const root = join(folder, 'store')
  const [store, replica] = [new DiskBlobStore(root), new BlobArchive(root)]
  return {
    store,
    replica,
    close: async () => {
      await store.close()
      await replica.close()
    },
  }
}

async function openS3(): Promise<Target> {
  const { store, close } = await openTestStore()
  return { store, replica: new StoreReplica(store), close }
}

describe.each([
  ['a disk', openDisk],
  ['S3', openS3],
])('restoring blobs to %s', (_name, open) => {
  let target: Target
  beforeEach(async () => {
    target = await open()
  })
  afterEach(() => target.close())

  it('restores large, medium and small blobs byte for byte', async () => {
    const [inPieces, inOne] = [
      await archiveLarge('0199aaaa-0000-7000-8000-000000000001', 40 * 2 ** 20 + 5),
      await archiveLarge('0199aaaa-0000-7000-8000-000000000002', 3 * 2 ** 20),
    ]
    const small = { key: '0199aaaa-0000-7000-8000-000000000003', size: 5, sha256: hash('sha256', 'small') }
    await archive.keep(small, Readable.from([Buffer.from('small')]))
    const { replica, store } = target
    expect(await restoreBlobs({ replica, archive, progress }, iterate(inPieces, inOne, small))).toEqual([])
    for (const { key, size, sha256 } of [inPieces, inOne, small]) {
      expect(await measureBlob(store, key)).toEqual({ size, sha256 })
      expect(await replica.has({ key, size })).toBe(true)
    }
  })

  it('stores nothing of a blob that is truncated or has another digest', async () => {
    const [short, other, inPieces] = [
      await archiveLarge('0199aaaa-0000-7000-8000-000000000001', 33 * 2 ** 20),
      await archiveLarge('0199aaaa-0000-7000-8000-000000000002', 2 ** 20),
      await archiveLarge('0199aaaa-0000-7000-8000-000000000003', 33 * 2 ** 20),
    ]
    await truncate(join(folder, 'archive', 'blobs', '0199aaa', short.key), 32 * 2 ** 20 + 1)
    const wrong = 'f'.repeat(64)
    const { replica, store } = target
    const lost = await restoreBlobs(
      { replica, archive, progress },
      iterate(short, { ...other, sha256: wrong }, { ...inPieces, sha256: wrong }),
    )
    expect(lost.sort()).toEqual([short.key, other.key, inPieces.key])
    for (const key of lost) expect(await store.sizeOf(key)).toBeUndefined()
    expect(await store.isEmpty()).toBe(true)
  })

  it('replaces a blob that has the key but other bytes', async () => {
    const blob = await archiveLarge('0199aaaa-0000-7000-8000-000000000001', 2 ** 20)
    const { replica, store } = target
    await store.streamWhole(blob.key, Readable.from([randomBytes(2 ** 20 + 7)]), 2 ** 22)
    expect(await replica.has(blob)).toBe(false)
    expect(await restoreBlobs({ replica, archive, progress }, iterate(blob))).toEqual([])
    expect((await measureBlob(store, blob.key)).sha256).toBe(blob.sha256)
  })

  it('keeps no blob whose size or digest differs from the given one', async () => {
    const bytes = () => Readable.from([Buffer.alloc(100_000)])
    const blob = { key: '0199aaaa-0000-7000-8000-000000000001', size: 100_000, sha256: 'f'.repeat(64) }
    const { replica } = target
    expect(await replica.keep(blob, bytes())).toEqual({ difference: 'its bytes are not those that were stored' })
    expect(await replica.keep({ ...blob, size: 99_999 }, bytes())).toEqual({
      difference: 'it has 100000 bytes instead of 99999',
    })
    expect(await replica.has(blob)).toBe(false)
  })
})
