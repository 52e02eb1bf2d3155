import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describeSize } from '../../modules/items/index.ts'
import { blockWrites } from '../../platform/db/block-writes.ts'
import { engineOf, migrate } from '../../platform/db/database.ts'
import { isAmong } from '../../platform/db/text-list.ts'
import { loadTables } from '../backups/load-tables.ts'
import { linesOf, type Saved, saveEverything } from '../backups/save-everything.ts'
import { saveSandbox } from '../backups/save-sandbox.ts'
import { CommandError, type Operator } from '../command.ts'
import { openReplica } from '../open-replica.ts'
import { compareRows } from './compare-rows.ts'
import { describeStore, type MoveMarker, setMoveMarker } from './move-marker.ts'
import { targetDigests } from './target-digests.ts'

/** Later than any blob. */
const ALWAYS = 2 ** 48 - 1
/** Where the rows lie on their way. */
const DRAFTS = 'moving-'

/** Takes an empty place for an Alcove to move in. */
export async function claimTarget({ services, config }: Operator, instance: string): Promise<MoveMarker> {
  if (!(await services.blobs.isEmpty())) {
    throw new CommandError(`The ${describeStore(config)} is not empty. Name an empty one.`)
  }
  await migrate(services.db, engineOf(config))
  const mark = { instance, store: describeStore(config), areRowsThere: false }
  await setMoveMarker(services.db, mark)
  return mark
}

/**
 * Copies the blobs that the target has not, and then the rows, which is the last step: until they are there it has none.
 * While somebody else has the source open, blobs alone are copied; that is said as what is left to do.
 */
export async function moveIn(source: Operator, target: Operator, mark: MoveMarker): Promise<void> {
  await migrate(target.services.db, engineOf(target.config))
  // Before anything here opens the database of the source.
  const release = await blockWrites(source.config)
  if (release) await removeDrafts(target.config.dataDir)
  const folder = await mkdtemp(join(target.config.dataDir, DRAFTS))
  const replica = openReplica(target.config, target.services.blobs)
  try {
    const saved = await saveEverything(source, { folder, replica, digests: targetDigests(target.services) })
    const { blobs, bytes, copied } = saved
    source.print(
      `Blobs at the target: ${blobs - copied.damaged.length} of ${blobs}, ${describeSize(bytes)}; copied just now ${copied.blobs}, ${describeSize(copied.bytes)}.`,
    )
    if (!release) {
      throw new CommandError(
        'The server is running, or another command is: so far blobs alone were copied. Stop it and do this once more.',
      )
    }
    if (target.config.dataDir !== source.config.dataDir) await saveSandbox(source.config.dataDir, target.config.dataDir)
    await putRows(target, { saved, folder, mark })
    await removeOthers(target)
  } finally {
    await replica.close()
    await rm(folder, { recursive: true, force: true })
    await release?.()
  }
}

/** All rows or none; they are compared before they stand. */
async function putRows(
  { services: { db }, tell, print }: Operator,
  { saved, folder, mark }: { saved: Saved; folder: string; mark: MoveMarker },
): Promise<void> {
  const tables = saved.tables.map(({ name }) => ({ name, path: linesOf(folder, name) }))
  const rows = saved.tables.reduce((sum, table) => sum + table.rows, 0)
  tell(`${rows} rows are moved now.`)
  await db.transaction().execute(async (tx) => {
    // What was noted here on the way comes with the rows.
    await tx.deleteFrom('blobs').execute()
    await loadTables(tx, tables)
    await compareRows(tx, tables)
    await setMoveMarker(tx, { ...mark, areRowsThere: true })
  })
  print(`Rows at the target: ${rows}, all compared.`)
}

/** What users have deleted since it was copied. */
async function removeOthers({ services: { db, blobs } }: Operator): Promise<void> {
  await blobs.sweep(ALWAYS, async (keys) => {
    const used = await db
      .selectFrom('blobs')
      .select('key')
      .where(isAmong(db, 'key', keys))
      .execute()
    return new Set(used.map(({ key }) => key))
  })
}

/** What an attempt that was broken off has left: with the source alone, there is none that goes on. */
async function removeDrafts(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (name.startsWith(DRAFTS)) await rm(join(dataDir, name), { recursive: true })
  }
}
