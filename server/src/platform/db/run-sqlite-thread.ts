import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import type { SqliteFailure } from './sqlite-thread.ts'

const database = new DatabaseSync(workerData as string, { timeout: 5000 })

// Responds with the reason why the statements failed, or undefined when they are done. Null ends the thread.
parentPort?.on('message', (statements: string | null) => {
  if (statements !== null) return parentPort?.postMessage(attempt(statements))
  database.close()
  parentPort?.close()
})

function attempt(statements: string): SqliteFailure | undefined {
  try {
    database.exec(statements)
    return undefined
  } catch (error) {
    return { message: String(error), errcode: (error as { errcode?: number }).errcode }
  }
}
