import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Services } from '../../context.ts'
import { AppError } from '../../errors.ts'
import { engineOf } from '../db/database.ts'
import { describeStorageFault, storageClosed } from '../storage-faults.ts'

/** How long a result is reused, in milliseconds. */
const BELIEVED_FOR = 1000
/** How long the database may take to respond, in milliseconds. */
const CHECK_TIMEOUT = 5000

/**
 * Serves the health check: the database responds and the data directory is writable. A full disk counts as healthy, since
 * everything but uploads works.
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

/** Checks PostgreSQL; SQLite is in this process, so it is always reachable. */
async function reachDatabase({ db, config }: Services): Promise<void> {
  if (engineOf(config) === 'sqlite') return
  const isThere = await Promise.race([
    sql`select 1`.execute(db).then(
      () => true,
      () => false,
    ),
    wait(CHECK_TIMEOUT, false, { ref: false }),
  ])
  if (!isThere) throw new AppError('unavailable', 'The database is not responding. Please try again in a moment.')
}

async function writeToDisk({ config }: Services): Promise<void> {
  const path = join(config.dataDir, 'health-check')
  try {
    await writeFile(path, '', { mode: 0o600 })
    await rm(path, { force: true })
  } catch (error) {
    // A directory that is missing, for example because its disk was unmounted, is not writable either.
    const fault = describeStorageFault(error) ?? storageClosed(error)
    if (fault.code !== 'storage_full') throw fault
  }
}
