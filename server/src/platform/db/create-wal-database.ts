import { randomUUID } from 'node:crypto'
import { existsSync, linkSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

/**
 * Creates an SQLite database in WAL mode if it is missing. It is created beside its place and gets its name when it is
 * complete. Otherwise others who open it while it is switched to WAL mode would fail at once: SQLite doesn't wait for that
 * switch, whatever the timeout. If several processes create it, the first wins.
 *
 * `setUp` are statements for the file itself. The page size must be set before the mode.
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
    // Unlike a rename, a link never replaces an existing file.
    linkSync(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
}
