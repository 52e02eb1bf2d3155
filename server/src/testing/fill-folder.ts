import { setTimeout as wait } from 'node:timers/promises'
import { systemClock } from '../platform/clock.ts'
import { analyzeTables } from './analyze-tables.ts'
import { addManyItems } from './many-items.ts'
import { withServerDatabase } from './with-server-database.ts'

const INDEXED_WITHIN = 60_000

/** Puts many files into the folder of the only user of servers that run, and waits until one of them has indexed their names. */
export async function fillFolder(databaseUrl: string, folderId: string, names: readonly string[]): Promise<void> {
  await withServerDatabase(databaseUrl, async (db) => {
    const { id: ownerId } = await db.selectFrom('users').select('id').executeTakeFirstOrThrow()
    await addManyItems({ db, clock: systemClock }, { ownerId, folderId, names })
    const deadline = Date.now() + INDEXED_WITHIN
    while ((await db.selectFrom('search_pending').select('item_id').limit(1).execute()).length > 0) {
      if (Date.now() > deadline) throw new Error('the names have not been indexed')
      await wait(200)
    }
    await analyzeTables({ db, config: { databaseUrl } })
  })
}
