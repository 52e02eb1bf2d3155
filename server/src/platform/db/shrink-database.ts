// SURPRISE: free pages of the SQLite file go back to the file system in many small steps on the event loop, and a thread writes
// the log back (docs/decisions/043-smaller-databases.md).
// Measured: see there. Without it, a file keeps its largest size forever.
// Remove it when: SQLite does this by itself without holding up writers.

import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Config } from '../../config.ts'
import { type Database, engineOf, sqlitePath } from './database.ts'
import { SqliteThread } from './sqlite-thread.ts'

interface Shrinking {
  readonly db: Database
  readonly config: Pick<Config, 'databaseUrl' | 'dataDir'>
}

/** The pages of the SQLite file. */
interface Pages {
  count: number
  free: number
  /** How `auto_vacuum` is set: 2 if free pages can be removed in steps. */
  mode: number
  /** In bytes. */
  size: number
}

export const INCREMENTAL = 2

/**
 * Free pages that the file keeps: 8 MiB and a twentieth of what is in use. A busy database would otherwise shrink and grow all the
 * time.
 */
const SPARE = 2048
const SPARE_SHARE = 1 / 20

/** How long a step is meant to take, in milliseconds. Everything else waits meanwhile. */
const STEP = 10
/** Free pages at the end of the file cost nothing, and those that are in use there many times as much. So a step can't be long. */
const MAX_STEP_PAGES = 128
/** Other work gets at least this share of the time: three times as long as the step before, and this many milliseconds at least. */
const PAUSE = 20
const PAUSE_SHARE = 3

/** So many pages of the log are written back at once. It is half of what would make the next commit do it, on the event loop. */
const CHECKPOINT_AFTER = 2000

/**
 * Returns free pages of the SQLite file to the file system, if there are many. PostgreSQL does so by itself. It stops when the
 * signal aborts, and a server that dies meanwhile leaves a whole database: each step is a transaction.
 */
export async function shrinkDatabase({ db, config }: Shrinking, signal?: AbortSignal): Promise<void> {
  if (engineOf(config) !== 'sqlite') return
  const { mode, ...pages } = await readPages(db)
  if (mode !== INCREMENTAL || pages.free < 2 * spareOf(pages)) return
  const thread = new SqliteThread(sqlitePath(config.dataDir))
  try {
    await shrink(db, thread, signal)
    await thread.run('pragma wal_checkpoint(passive)')
    // The file becomes shorter only if nobody has written since the checkpoint began. Here nobody can, and little is left to write.
    await sql`pragma wal_checkpoint(passive)`.execute(db)
  } finally {
    await thread.close()
  }
}

async function shrink(db: Database, thread: SqliteThread, signal?: AbortSignal): Promise<void> {
  let step = 16
  for (let pages = await readPages(db); pages.free > spareOf(pages) && !signal?.aborted; ) {
    const duration = await removePages(db, Math.min(step, floorOfTwo(pages.free - spareOf(pages))))
    if (duration > STEP) step = Math.max(1, step / 2)
    else if (duration < STEP / 3) step = Math.min(MAX_STEP_PAGES, step * 2)
    if ((await countUnwritten(db)) >= CHECKPOINT_AFTER) {
      await thread.run('pragma wal_checkpoint(passive)')
      // A backup that is reading keeps the log from being written back. It would grow with each step.
      if ((await countUnwritten(db)) >= CHECKPOINT_AFTER) return
    }
    await wait(Math.max(PAUSE, duration * PAUSE_SHARE))
    const left = await readPages(db)
    if (left.count >= pages.count && left.free >= pages.free) return
    pages = left
  }
}

function spareOf({ count, free }: Pick<Pages, 'count' | 'free'>): number {
  return SPARE + Math.floor((count - free) * SPARE_SHARE)
}

/** Steps have few sizes, so that few statements are prepared. */
function floorOfTwo(pages: number): number {
  return 2 ** Math.floor(Math.log2(Math.max(1, pages)))
}

/** Removes free pages from the end of the file, moving what is there. Returns how many milliseconds it took. */
function removePages(db: Database, pages: number): Promise<number> {
  return db.connection().execute(async (connection) => {
    const startedAt = performance.now()
    await sql`pragma incremental_vacuum(${sql.lit(pages)})`.execute(connection)
    return performance.now() - startedAt
  })
}

/** Returns how many pages of the log are not in the file yet. */
async function countUnwritten(db: Database): Promise<number> {
  const { rows } = await sql<{ log: number; checkpointed: number }>`pragma wal_checkpoint(noop)`.execute(db)
  return rows[0] ? rows[0].log - rows[0].checkpointed : 0
}

/** Reads how large the SQLite file is, and how much of it is free. */
export async function readPages(db: Database): Promise<Pages> {
  const { rows } = await sql<Pages>`
    select page_count as count, freelist_count as free, auto_vacuum as mode, page_size as size
    from pragma_page_count, pragma_freelist_count, pragma_auto_vacuum, pragma_page_size`.execute(db)
  return rows[0] as Pages
}
