import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
