import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Services } from '../../context.ts'
import { AppError } from '../../errors.ts'
import { engineOf } from '../db/database.ts'
import { describeStorageFault, storageClosed } from '../storage-faults.ts'

/** However many ask, it is looked at once in so many milliseconds. */
const BELIEVED_FOR = 1000
/** How long a database may take to answer, in milliseconds. */
const CHECK_TIMEOUT = 5000

/**
 * Returns whether the server can do its work: the database answers, and the data directory can be written to. A disk that
 * is full is no reason to send people elsewhere: all but uploads goes on.
 */
export function healthResponse(api: FastifyInstance, services: Services): void {
  let looking: Promise<void> | undefined
  let lookedAt = Number.NEGATIVE_INFINITY
  api.get('/health', { logLevel: 'warn' }, async () => {
    if (performance.now() - lookedAt > BELIEVED_FOR) {
      lookedAt = performance.now()
      looking = Promise.all([reachDatabase(services), writeToDisk(services)]).then(() => {})
    }
    await looking
    return { status: 'ok' }
  })
}

/** SQLite is in this process: it may be busy, never away. */
async function reachDatabase({ db, config }: Services): Promise<void> {
  if (engineOf(config) === 'sqlite') return
  const isThere = await Promise.race([
    sql`select 1`.execute(db).then(
      () => true,
      () => false,
    ),
    wait(CHECK_TIMEOUT, false, { ref: false }),
  ])
  if (!isThere)
    throw new AppError('unavailable', 'The database does not answer just now. Please try again in a moment.')
}

async function writeToDisk({ config }: Services): Promise<void> {
  const path = join(config.dataDir, 'health-check')
  try {
    await writeFile(path, '', { mode: 0o600 })
    await rm(path, { force: true })
  } catch (error) {
    // A directory that is not there any more, as on a disk that was unmounted, cannot be written to either.
    const fault = describeStorageFault(error) ?? storageClosed(error)
    if (fault.code !== 'storage_full') throw fault
  }
}
