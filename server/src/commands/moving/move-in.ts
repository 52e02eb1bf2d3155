import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Services } from '../../context.ts'
import { describeSize } from '../../modules/items/index.ts'
import { openReplica } from '../../platform/blobs/blob-replica.ts'
import { blockWrites } from '../../platform/db/block-writes.ts'
import { engineOf, migrate, type Tx } from '../../platform/db/database.ts'
import { rowsInTransaction } from '../../platform/db/database-snapshot.ts'
import { isAmong } from '../../platform/db/portable-sql.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { backedUpTables, toBackedUpRow } from '../backups/backed-up-tables.ts'
import type { FoundDigests } from '../backups/copy-blobs.ts'
import { linesOf, type Saved, saveEverything, saveSandbox } from '../backups/save-everything.ts'
import { loadTables, readLines } from '../backups/table-files.ts'
import { CommandError, type Operator } from '../command.ts'
import { Progress, showPhase } from '../progress.ts'
import { describeStore, type MoveMarker, setMoveMarker } from './move-marker.ts'

/** Later than any blob. */
const ALWAYS = 2 ** 48 - 1
/** The prefix of the folder for rows in transit. */
const DRAFTS = 'moving-'

/** Claims an empty target for a move. */
export async function claimTarget({ services, config }: Operator, instance: string): Promise<MoveMarker> {
  if (!(await services.blobs.isEmpty())) {
    throw new CommandError(`The ${describeStore(config)} is not empty. Choose an empty one.`)
  }
  await migrate(services.db, engineOf(config))
  const mark = { instance, store: describeStore(config), areRowsThere: false }
  await setMoveMarker(services.db, mark)
  return mark
}

/**
 * Copies the blobs that are missing at the target, and then the rows, which complete the move. While a server or command has the source
 * open, it copies only blobs and throws an error that says what is left to do.
 */
export async function moveIn(source: Operator, target: Operator, mark: MoveMarker): Promise<void> {
  await migrate(target.services.db, engineOf(target.config))
  // This must come before anything here opens the source's database.
  const release = await blockWrites(source.config)
  if (release) await removeDrafts(target.config.dataDir)
  const folder = await mkdtemp(join(target.config.dataDir, DRAFTS))
  const replica = openReplica(target.config, target.services.blobs)
  try {
    const saved = await saveEverything(source, { folder, replica, digests: targetDigests(target.services) })
    const { blobs, bytes, copied } = saved
    source.print(
      `Blobs at the target: ${blobs - copied.damaged.length} of ${blobs}, ${describeSize(bytes)}; copied now ${copied.blobs}, ${describeSize(copied.bytes)}.`,
    )
    if (!release) {
      throw new CommandError(
        'A server or another command is running, so only blobs were copied. Stop it and run this command again.',
      )
    }
    if (target.config.dataDir !== source.config.dataDir) await saveSandbox(source.config.dataDir, target.config.dataDir)
    await putRows(target, { saved, folder, mark })
    showPhase(target, 'Removing the bytes of files that were deleted meanwhile')
    await removeOthers(target)
  } finally {
    await replica.close()
    await rm(folder, { recursive: true, force: true })
    await release?.()
  }
}

/** Inserts all rows or none. They are compared before the commit. */
async function putRows(
  target: Operator,
  { saved, folder, mark }: { saved: Saved; folder: string; mark: MoveMarker },
): Promise<void> {
  const {
    services: { db },
    tell,
    print,
  } = target
  const tables = saved.tables.map(({ name }) => ({ name, path: linesOf(folder, name) }))
  const rows = saved.tables.reduce((sum, table) => sum + table.rows, 0)
  tell(`Moving the rows: ${rows}.`)
  const progress = new Progress({ what: 'Moved', unit: 'rows', items: rows }, target)
  await db.transaction().execute(async (tx) => {
    // Digests that were recorded here during the copy come with the rows.
    await tx.deleteFrom('blobs').execute()
    await loadTables(tx, tables, progress)
    showPhase(target, 'Comparing the rows')
    await compareRows(tx, tables)
    await setMoveMarker(tx, { ...mark, areRowsThere: true })
  })
  print(`Rows at the target: ${rows}, all verified.`)
}

/** Removes blobs of files that users have deleted since the copy. */
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

/** Removes the rest of an interrupted attempt. With exclusive access to the source, no attempt is running. */
async function removeDrafts(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (name.startsWith(DRAFTS)) await rm(join(dataDir, name), { recursive: true })
  }
}

type Row = Record<string, unknown>

/** Throws if a table doesn't have exactly the rows that were inserted. */
export async function compareRows(tx: Tx, tables: readonly { name: keyof Tables; path: string }[]): Promise<void> {
  for (const { name, path } of tables) {
    const select = `select * from ${name} where ${backedUpTables[name]}`
    const [expected, stored] = [
      await sumUp(readLines<Row>(path), name),
      await sumUp(rowsInTransaction(tx, select), name),
    ]
    if (expected !== stored)
      throw new CommandError(`The rows of the table ${name} differ at the target. Nothing was committed.`)
  }
}

/** Returns the number of rows and the sum of their digests, which doesn't depend on their order. */
async function sumUp(rows: AsyncIterable<Row>, name: keyof Tables): Promise<string> {
  let [count, sum] = [0, 0n]
  for await (const row of rows) {
    const columns = Object.entries(toBackedUpRow(name, row)).sort(([a], [b]) => (a < b ? -1 : 1))
    const digest = createHash('sha256').update(JSON.stringify(columns)).digest()
    sum = BigInt.asUintN(64, sum + digest.readBigUInt64BE())
    count += 1
  }
  return `${count} ${sum}`
}

/**
 * Stores digests found while moving in the target's table of blobs, which has no other rows yet: nothing is written at the
 * source.
 */
function targetDigests({ db, clock }: Pick<Services, 'db' | 'clock'>): FoundDigests {
  return {
    find: async (key) => {
      const row = await db.selectFrom('blobs').select('sha256').where('key', '=', key).executeTakeFirst()
      return row?.sha256 ?? undefined
    },
    record: async ({ key, size }, sha256) => {
      await db
        .insertInto('blobs')
        .values({ key, size, sha256, created_at: clock.now() })
        .onConflict((conflict) => conflict.column('key').doUpdateSet({ sha256 }))
        .execute()
    },
  }
}
