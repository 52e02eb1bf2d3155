import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createBlobKey } from './blob-key.ts'
import { describeBlobStore } from './blob-store.suite.ts'
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

it('finds small blobs again after a restart', async () => {
  const root = await mkdtemp(join(tmpdir(), 'alcove-blobs-'))
  const key = createBlobKey()
  const before = new DiskBlobStore(root)
  await before.writeWhole(key, Buffer.from('small'))
  await before.close()
  const after = new DiskBlobStore(root)
  expect(after.internalPath(key)).toBeUndefined()
  expect(Buffer.concat(await after.openStream(key).toArray()).toString()).toBe('small')
  await after.close()
  await rm(root, { recursive: true })
})
