import { createHash, hash, randomBytes } from 'node:crypto'
import { mkdtemp, rm, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { BlobArchive } from '../../platform/blobs/blob-archive.ts'
import { DiskBlobStore } from '../../platform/blobs/disk-blob-store.ts'
import { readDigest } from '../checks/read-digest.ts'
import { Progress } from '../progress.ts'
import { putBlobsBack } from './put-blobs-back.ts'

let folder: string
let archive: BlobArchive
let blobs: DiskBlobStore
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'alcove-archive-'))
  archive = new BlobArchive(join(folder, 'archive'))
  blobs = new DiskBlobStore(join(folder, 'store'))
})
afterEach(async () => {
  await archive.close()
  await blobs.close()
  await rm(folder, { recursive: true, force: true })
})

const progress = new Progress('Put back', { blobs: 0, bytes: 0 }, () => {})

async function* listed<T>(...those: T[]) {
  yield* those
}

/** A blob of some MiB, kept in the archive. */
async function keepLarge(key: string, size: number) {
  const mebibyte = randomBytes(2 ** 20)
  const content = Array.from({ length: Math.ceil(size / 2 ** 20) }, (_, index) =>
    mebibyte.subarray(0, Math.min(2 ** 20, size - index * 2 ** 20)),
  )
  const sha256 = content.reduce((digest, part) => digest.update(part), createHash('sha256')).digest('hex')
  expect(await archive.keep({ key, size, sha256 }, Readable.from(content))).toEqual({ sha256 })
  return { key, size, sha256 }
}

it('puts blobs back in pieces, in one go, and among the small ones, byte for byte', async () => {
  const [inPieces, inOne] = [
    await keepLarge('0199aaaa-1', 40 * 2 ** 20 + 5),
    await keepLarge('0199aaaa-2', 3 * 2 ** 20),
  ]
  const small = { key: '0199aaaa-3', size: 5, sha256: hash('sha256', 'small') }
  await archive.keep(small, Readable.from([Buffer.from('small')]))
  expect(await putBlobsBack({ blobs, archive, progress }, listed(inPieces, inOne, small))).toEqual([])
  for (const { key, size, sha256 } of [inPieces, inOne, small]) {
    expect(await readDigest(blobs, key)).toEqual({ size, sha256 })
  }
})

it('leaves nothing of a blob that is shorter than it was, or another', async () => {
  const [short, other] = [await keepLarge('0199aaaa-1', 33 * 2 ** 20), await keepLarge('0199aaaa-2', 2 ** 20)]
  await truncate(join(folder, 'archive', 'blobs', '0199aaa', short.key), 32 * 2 ** 20 + 1)
  const lost = await putBlobsBack({ blobs, archive, progress }, listed(short, { ...other, sha256: 'f'.repeat(64) }))
  expect(lost).toEqual([short.key, other.key])
  for (const key of lost) await expect(readDigest(blobs, key)).rejects.toThrow('ENOENT')
})

it('keeps nothing in an archive that is not what it is said to be', async () => {
  const bytes = () => Readable.from([Buffer.alloc(100_000)])
  const blob = { key: '0199aaaa-1', size: 100_000, sha256: 'f'.repeat(64) }
  expect(await archive.keep(blob, bytes())).toEqual({ difference: 'its bytes are not those that were stored' })
  expect(await archive.keep({ ...blob, size: 99_999 }, bytes())).toEqual({
    difference: 'it has 100000 bytes instead of 99999',
  })
  expect(await archive.has(blob)).toBe(false)
})
