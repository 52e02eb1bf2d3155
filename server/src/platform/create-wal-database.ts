import { randomUUID } from 'node:crypto'
import { existsSync, linkSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

/**
 * Makes an SQLite database in WAL mode where there is none. It is made beside its place and gets its name once it is
 * whole, since whoever opens one that is just turned to WAL mode is told at once that it is locked: for that change
 * SQLite waits for nobody, whatever the timeout. The first of several makers wins.
 *
 * `setUp` are the statements that belong to the file itself; the size of its pages goes before the mode.
 */
export function createWalDatabase(path: string, setUp = ''): void {
  if (existsSync(path)) return
  const draft = `${path}.${randomUUID()}`
  try {
    const database = new DatabaseSync(draft)
    try {
      database.exec(setUp)
      database.exec('pragma journal_mode = wal')
    } finally {
      database.close()
    }
    // A link, unlike a rename, never replaces what is there.
    linkSync(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
}
