import { parentPort, workerData } from 'node:worker_threads'
import { openSmallBlobDatabase, type SmallBlobChange, type SmallBlobFailure } from './small-blobs.ts'

const database = openSmallBlobDatabase(workerData as string)
// An empty array of bytes arrives in SQLite as null.
const write = database.prepare('insert or replace into blobs (key, bytes) values (?, coalesce(?, zeroblob(0)))')
const remove = database.prepare('delete from blobs where key = ?')

/** Returns a limited number of free pages to the disk after a removal, so that none takes long. */
const giveBack = database.prepare('pragma incremental_vacuum(256)')

// Responds with the reason why the changes failed, or undefined when they are on stable storage. Null ends the thread.
parentPort?.on('message', (changes: readonly SmallBlobChange[] | null) => {
  if (changes) return parentPort?.postMessage(attempt(changes))
  database.close()
  parentPort?.close()
})

function attempt(changes: readonly SmallBlobChange[]): SmallBlobFailure | undefined {
  try {
    database.exec('begin immediate')
    for (const { key, bytes } of changes) {
      if (bytes) write.run(key, bytes)
      else remove.run(key)
    }
    database.exec('commit')
    if (changes.some(({ bytes }) => bytes === undefined)) giveBack.all()
    return undefined
  } catch (error) {
    if (database.isTransaction) database.exec('rollback')
    return { message: String(error), errcode: (error as { errcode?: number }).errcode }
  }
}
