// SURPRISE: a thread writes the pages of SQLite's log back to the database, not the connection that commits
// (docs/decisions/003-durable-commits-in-sqlite.md).
// Measured: a checkpoint of 4,000 pages, one for 400 small uploads, keeps the event loop for 20 to 100 ms on a busy disk.
// Remove it when: `node:sqlite` runs checkpoints off the event loop.

import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { SqliteThread } from './sqlite-thread.ts'

/** Pages that are written back together. A page that changes often meanwhile is written once. */
const PAGES = 4000
/** The thread ends after so many milliseconds without work. */
const LINGER = 30_000

/** Writes the log of a database back in a thread of its own while there are commits. */
export class Checkpointer {
  readonly #path: string
  readonly #measure: StatementSync
  #thread: SqliteThread | undefined
  #running: Promise<void> | undefined
  #idle: NodeJS.Timeout | undefined
  /** Pages that the last checkpoint could not write, because of a reader or a full disk. It isn't tried again at each commit. */
  #left = 0

  /** `database` is a connection to the database at `path`. */
  constructor(path: string, database: DatabaseSync) {
    this.#path = path
    this.#measure = database.prepare('pragma wal_checkpoint(noop)')
  }

  /** To be called after each commit. Takes about a microsecond. Never throws, because what was committed is committed. */
  noteCommit(): void {
    if (this.#running) return
    const unwritten = this.#countUnwritten()
    this.#left = Math.min(this.#left, unwritten)
    if (unwritten - this.#left >= PAGES) this.#running = this.#checkpoint()
  }

  /** Resolves when the thread has ended and its connection is closed. */
  async close(): Promise<void> {
    await this.#running
    await this.#endThread()
  }

  /** Returns how many pages of the log are not in the database yet, or 0 if the disk doesn't let it know. */
  #countUnwritten(): number {
    try {
      const { log, checkpointed } = this.#measure.get() as { log: number; checkpointed: number }
      return log - checkpointed
    } catch {
      return 0
    }
  }

  async #checkpoint(): Promise<void> {
    clearTimeout(this.#idle)
    try {
      this.#thread ??= new SqliteThread(this.#path)
      // A passive checkpoint waits for nobody, and nobody waits for it.
      await this.#thread.run('pragma wal_checkpoint(passive)')
    } catch {
      // On a full or broken disk the log stays as it is, and writers report that. The next checkpoint gets a new thread.
      await this.#endThread()
    } finally {
      this.#left = this.#countUnwritten()
      this.#running = undefined
      this.#idle = setTimeout(() => void this.#endThread(), LINGER).unref()
    }
  }

  async #endThread(): Promise<void> {
    clearTimeout(this.#idle)
    const thread = this.#thread
    this.#thread = undefined
    await thread?.close()
  }
}
