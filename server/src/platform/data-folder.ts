import { constants } from 'node:fs'
import { access, chmod, mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { ConfigError } from '../config.ts'

/**
 * Rights of others: only the group may traverse the folder. The group's bits are also the mask of the access control list with
 * which an operator lets nginx read the blobs (docs/operations/running.md).
 */
const OTHERS_RIGHTS = 0o067
const OWNER_ALONE = 0o700

/** SQLite's primary result code for a locked database (sqlite.org/rescode.html). */
const SQLITE_BUSY = 5

/**
 * Creates the data folder with rights for its owner alone, or checks an existing one. If others can read it, it removes their
 * rights, since it holds the database and the secret.
 *
 * @returns a warning for the log if rights were removed. @throws ConfigError with one sentence if the folder can't be used.
 */
export async function openDataFolder(path: string): Promise<string | undefined> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 })
    const { mode, uid } = await stat(path)
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK)
    if ((mode & OTHERS_RIGHTS) === 0) return undefined
    const rights = (mode & 0o777).toString(8)
    if (uid !== process.geteuid?.() && process.geteuid?.() !== 0) {
      throw new ConfigError(
        `Other users can read the data folder ${path} (mode ${rights}), and it isn't yours to close. Run chmod 700 on it as its owner.`,
      )
    }
    await chmod(path, OWNER_ALONE)
    return `The data folder ${path} could be read by other users (mode ${rights}). It is now closed to them.`
  } catch (error) {
    throw describeFolderFailure(path, error) ?? error
  }
}

function describeFolderFailure(path: string, error: unknown): ConfigError | undefined {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EEXIST':
    case 'ENOTDIR':
      return new ConfigError(
        `The data folder ${path} is a file, or lies below one. Set ALCOVE_DATA_DIR to a folder, or move the file away.`,
      )
    case 'EACCES':
    case 'EPERM':
      return new ConfigError(
        `Alcove is not allowed to write to the data folder ${path}. Run Alcove as the user who owns it, or set ALCOVE_DATA_DIR to another folder.`,
      )
    case 'EROFS':
      return new ConfigError(
        `The data folder ${path} is on a read-only disk. Set ALCOVE_DATA_DIR to a folder that Alcove can write to.`,
      )
    default:
      return undefined
  }
}

/**
 * Keeps a second server from starting on the same data folder. It is an SQLite lock on a separate file, which the system
 * releases when the process ends, however it ends. Operator commands don't take it.
 *
 * @throws ConfigError with one sentence if another server holds the lock.
 */
export function lockDataFolder(path: string): { release(): void } {
  const database = new DatabaseSync(join(path, 'server.lock'))
  try {
    // Nothing is ever written, so there is no journal to sync.
    database.exec('pragma journal_mode = memory; begin exclusive')
  } catch (error) {
    database.close()
    const { errcode } = error as { errcode?: number }
    if (errcode === undefined || (errcode & 0xff) !== SQLITE_BUSY) throw error
    throw new ConfigError(
      `Another Alcove server is running on the data folder ${path}. Stop it first, or set ALCOVE_DATA_DIR to another folder.`,
    )
  }
  return { release: () => database.close() }
}
