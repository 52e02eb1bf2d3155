import { stat } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { type Database, sqlitePath } from '../../platform/db/database.ts'
import { shrinkDatabase } from '../../platform/db/shrink-database.ts'

interface Shrinking {
  db: Database
  config: { databaseUrl: string | undefined; dataDir: string }
}

/** Milliseconds between two changes of the other writer. */
const EVERY = 2

/** What was measured while the SQLite file shrank. */
interface Shrunk {
  bytesBefore: number
  bytesAfter: number
  seconds: number
  /** How many milliseconds after its time each transaction of another writer began. */
  waits: number[]
}

/** Shrinks the SQLite file while another writer makes a small change every two milliseconds. */
export async function shrinkWhileWriting({ db, config }: Shrinking): Promise<Shrunk> {
  const sizeOfFile = async () => (await stat(sqlitePath(config.dataDir))).size
  const bytesBefore = await sizeOfFile()
  const waits: number[] = []
  let isShrinking = true
  async function write(): Promise<void> {
    for (let dueAt = performance.now(); isShrinking; ) {
      await db.transaction().execute(async (tx) => {
        // The time for which the event loop was blocked counts, too.
        waits.push(performance.now() - dueAt)
        await tx.updateTable('scrub').set({ bytes_left: 0 }).execute()
      })
      dueAt = performance.now() + EVERY
      await wait(EVERY)
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
