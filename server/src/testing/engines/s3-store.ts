import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { S3BlobStore } from '../../platform/blobs/s3-blob-store.ts'
import { STORE_TIMES, type StoreTimes } from '../../platform/blobs/store-retries.ts'
import { type Database, migrate, openDatabase } from '../../platform/db/database.ts'
import { type S3Engine, startS3 } from './s3-engine.ts'

export interface TestS3 {
  engine: S3Engine
  store: S3BlobStore
  db: Database
  dataDir: string
  /** Opens the store of another server, with the same database and bucket and its own disk. */
  openAnother(times?: StoreTimes): S3BlobStore
  close(): Promise<void>
}

/** The usual timeouts: a busy machine may need seconds for a large chunk. Only retries are faster. */
const TIMES: StoreTimes = { ...STORE_TIMES, firstPause: 5 }

/** Short timeouts for stores that don't respond. */
export const IMPATIENT: StoreTimes = { connect: 2000, idle: 1000, firstPause: 5, giveUpAfter: 1500 }

/** Opens a blob store on an S3 engine, with its own database. */
export async function openTestStore(): Promise<TestS3> {
  // The pages are so small that all lists have several.
  const engine = await startS3({ pageSize: 3 })
  const dataDir = await mkdtemp(join(tmpdir(), 'alcove-s3-'))
  const db = openDatabase({ databaseUrl: undefined, dataDir })
  await migrate(db, 'sqlite')
  const open = (name: string, times = engine.isReal ? STORE_TIMES : TIMES) =>
    new S3BlobStore(engine.settings, { db, dataDir: join(dataDir, name), times, linger: 500 })
  const stores = [open('one')]
  return {
    engine,
    store: stores[0] as S3BlobStore,
    db,
    dataDir,
    openAnother: (times) => {
      const another = open(`server ${stores.length}`, times)
      stores.push(another)
      return another
    },
    close: async () => {
      for (const store of stores) await store.close()
      await db.destroy()
      await engine.stop()
      await rm(dataDir, { recursive: true })
    },
  }
}
