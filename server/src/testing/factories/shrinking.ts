import { stat } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { type Database, sqlitePath } from '../../platform/db/database.ts'
import { shrinkDatabase } from '../../platform/db/shrink-database.ts'

interface Shrinking {
  db: Database
  config: { databaseUrl: string | undefined; dataDir: string }
}

/** What was measured while the SQLite file shrank. */
interface Shrunk {
  bytesBefore: number
  bytesAfter: number
  seconds: number
  /** How many milliseconds each transaction of another writer waited until it began. */
  waits: number[]
}

/** Shrinks the SQLite file while another writer makes a small change every two milliseconds. */
export async function shrinkWhileWriting({ db, config }: Shrinking): Promise<Shrunk> {
  const sizeOfFile = async () => (await stat(sqlitePath(config.dataDir))).size
  const bytesBefore = await sizeOfFile()
  const waits: number[] = []
  let isShrinking = true
  async function write(): Promise<void> {
    while (isShrinking) {
      const askedAt = performance.now()
      await db.transaction().execute(async (tx) => {
        waits.push(performance.now() - askedAt)
        await tx.updateTable('scrub').set({ bytes_left: 0 }).execute()
      })
      await wait(2)
    }
  }
  const writing = write()
  const startedAt = performance.now()
  await shrinkDatabase({ db, config })
  const seconds = (performance.now() - startedAt) / 1000
  isShrinking = false
  await writing
  return { bytesBefore, bytesAfter: await sizeOfFile(), seconds, waits }
}
