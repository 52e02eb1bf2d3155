import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { describeBlobStore } from './blob-store.suite.ts'
import { createBlobKey } from './blob-store.ts'
import { DiskBlobStore } from './disk-blob-store.ts'

describeBlobStore('the blob store on disk', async () => {
  const root = await mkdtemp(join(tmpdir(), 'alcove-blobs-'))
  const store = new DiskBlobStore(root)
  return {
    store,
    close: async () => {
      await store.close()
      await rm(root, { recursive: true })
    },
  }
})

it('reads small blobs after a restart', async () => {
  const root = await mkdtemp(join(tmpdir(), 'alcove-blobs-'))
  const key = createBlobKey()
  const before = new DiskBlobStore(root)
  await before.writeWhole(key, Buffer.from('small'))
  await before.close()
  const after = new DiskBlobStore(root)
  expect(after.internalAddress(key)).toBeUndefined()
  expect(Buffer.concat(await after.openStream(key).toArray()).toString()).toBe('small')
  await after.close()
  await rm(root, { recursive: true })
})

it('refuses writes that would use the reserved free space, and still removes blobs', async () => {
  const root = await mkdtemp(join(tmpdir(), 'alcove-blobs-'))
  const bytes = randomBytes(300_000)
  const [small, large] = [createBlobKey(), createBlobKey()]
  const roomy = new DiskBlobStore(root)
  await roomy.writeWhole(small, bytes.subarray(0, 10))
  await roomy.writeWhole(large, bytes)
  await roomy.close()
  const normal = new DiskBlobStore(root, 1)
  await normal.assertFits(1000)
  await expect(normal.assertFits(Number.MAX_SAFE_INTEGER)).rejects.toMatchObject({ code: 'storage_full' })
  await normal.close()
  const store = new DiskBlobStore(root, Number.MAX_SAFE_INTEGER)
  const full = { code: 'storage_full' }
  const refused = createBlobKey()
  await expect(store.writeWhole(refused, bytes.subarray(0, 10))).rejects.toMatchObject(full)
  await expect(store.writeWhole(refused, bytes)).rejects.toMatchObject(full)
  await expect(store.stageChunk(Readable.from([bytes]), bytes.length)).rejects.toMatchObject(full)
  expect(await readdir(join(root, 'staging'))).toEqual([])
  await expect(store.assertFits(1)).rejects.toMatchObject(full)
  for (const key of [small, large]) await store.remove(key)
  expect([await store.sizeOf(small), await store.sizeOf(large)]).toEqual([undefined, undefined])
  await store.close()
  await rm(root, { recursive: true })
})

it('sets group permissions with which an operator can let nginx read the blobs', async () => {
  const root = await mkdtemp(join(tmpdir(), 'alcove-blobs-'))
  const store = new DiskBlobStore(root)
  const key = createBlobKey()
  const bytes = Buffer.alloc(100_000, 1)
  await store.writeChunk(key, { index: 0, offset: 0 }, Readable.from([bytes]), bytes.length)
  await store.seal(key, [bytes.length])
  const path = join(root, store.internalAddress(key)?.replace('/_files/', '') as string)
  const modes = await Promise.all([stat(path), stat(dirname(path))])
  expect(modes.map(({ mode }) => mode & 0o777)).toEqual([0o640, 0o750].map((mode) => mode & ~process.umask()))
  await store.close()
  await rm(root, { recursive: true })
})
