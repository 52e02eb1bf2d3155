import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Services } from '../../context.ts'
import type { Database, Tx } from '../../platform/db/database.ts'
import { prepareQuery, type Value } from '../../platform/db/prepared-query.ts'
import { changeQuota, changeTree, deleteVersionRows } from '../items/index.ts'
import type { ItemToReplace } from './file-history.ts'
import { THINNED_TO, thinningAt } from './retention.ts'

/** Versions deleted per transaction in the background. On SQLite, nothing else can run meanwhile: a few milliseconds. */
export const STEP = 50

/** Versions that one replacement of a file deletes at most: more than a day of saves every few minutes. */
const AT_ONCE = 500

type Thinning = Pick<Services, 'jobs' | 'clock' | 'config'>

/** Returns whether a file may have superfluous versions: whether one is old enough. */
export function mayBeThinned(
  { oldest_version }: Pick<ItemToReplace, 'oldest_version'>,
  { clock, config }: Thinning,
): boolean {
  return oldest_version !== null && oldest_version < thinningAt(clock.now(), config.versionRetention).before
}

/**
 * Deletes the versions of a file that the retention rule (`retention.ts`) no longer keeps, oldest first, up to a limit.
 * Named versions stay. Returns how many it deleted. The owner's tree must be locked.
 */
export async function thinFile(
  services: Thinning,
  tx: Tx,
  file: { id: string; owner_id: string },
  limit = AT_ONCE,
): Promise<number> {
  const rule = thinningAt(services.clock.now(), services.config.versionRetention)
  const { rows } = await findSuperfluous(tx, { itemId: file.id, limit, ...rule })
  if (rows.length === 0) return 0
  const bytes = await deleteVersionRows(
    services,
    tx,
    rows.map(({ id }) => id),
  )
  await changeQuota(tx, file.owner_id, { used: -bytes, versions: -bytes })
  return rows.length
}

interface FileToThin {
  itemId: string
  limit: number
  before: number
  hourlySince: number
  dailySince: number
  oldest: number
}

/** Finds unnamed versions that are too old, or that another unnamed version of the same hour, day or week follows. */
const findSuperfluous = prepareQuery((db, value: Value<FileToThin>) => {
  const time = (name: keyof FileToThin) => sql`cast(${value(name)} as bigint)`
  const width = sql`case when versions.created_at >= ${time('hourlySince')} then ${sql.lit(THINNED_TO.hourly)}
    when versions.created_at >= ${time('dailySince')} then ${sql.lit(THINNED_TO.daily)} else ${sql.lit(THINNED_TO.weekly)} end`
  const isFollowed = sql<boolean>`exists (select 1 from versions later where later.item_id = versions.item_id
    and later.created_at > versions.created_at and later.name is null
    and later.created_at < versions.created_at - versions.created_at % (${width}) + (${width}))`
  return db
    .selectFrom('versions')
    .select('id')
    .where('item_id', '=', value('itemId'))
    .where('created_at', '<', value('before'))
    .where('name', 'is', null)
    .where((eb) => eb.or([eb('created_at', '<', value('oldest')), isFollowed]))
    .orderBy('created_at')
    .limit(value('limit'))
})

/** Files whose versions are examined per query. */
const FILES_AHEAD = 200

/**
 * Thins out the versions of all files, in short transactions, each followed by a pause of the same length. Files are also thinned
 * whenever they are replaced; this reaches those that nobody changes any more. Safe at any time, and on several servers at once.
 */
export async function thinVersions(services: Services, signal: AbortSignal): Promise<void> {
  for (let last = ''; !signal.aborted; ) {
    const start = performance.now()
    const files = await listFilesWithVersions(services.db, last)
    for (const { item_id, owner_id } of files) {
      if (owner_id !== null) await thinCompletely(services, { id: item_id, owner_id }, signal)
    }
    if (files.length < FILES_AHEAD) return
    last = files.at(-1)?.item_id as string
    // Most files have nothing to thin, but looking at a million of them would occupy SQLite.
    await wait(performance.now() - start, undefined, { signal }).catch(() => {})
  }
}

interface FileWithVersions {
  item_id: string
  /** Null if the account is being deleted. */
  owner_id: string | null
}

async function thinCompletely(
  services: Services,
  file: { id: string; owner_id: string },
  signal: AbortSignal,
): Promise<void> {
  const { db, events } = services
  const rule = thinningAt(services.clock.now(), services.config.versionRetention)
  for (let found = STEP; found === STEP && !signal.aborted; ) {
    // Most files have nothing to thin, and need no lock.
    const { rows } = await findSuperfluous(db, { itemId: file.id, limit: 1, ...rule })
    if (rows.length === 0) return
    const start = performance.now()
    found = await changeTree({ db, events, user: { id: file.owner_id } }, (tx) =>
      thinFile(services, tx, file, STEP),
    ).catch((error: unknown) => {
      // One bad file doesn't keep the others from being thinned.
      services.log.error({ err: error, itemId: file.id }, 'the versions of a file could not be thinned out')
      return 0
    })
    await wait(performance.now() - start, undefined, { signal }).catch(() => {})
  }
}

/** Skips from file to file along the index, however many versions each has. */
async function listFilesWithVersions(db: Database, after: string): Promise<FileWithVersions[]> {
  const { rows } = await sql<FileWithVersions>`
    with recursive files (item_id, steps) as (
      select (select min(item_id) from versions where item_id > ${after}), 1
      union all
      select (select min(item_id) from versions where item_id > files.item_id), steps + 1
      from files where files.item_id is not null and steps < ${FILES_AHEAD}
    )
    select files.item_id, users.id as owner_id from files
    join items on items.id = files.item_id
    left join users on users.id = items.owner_id and users.deleted_at is null
    order by files.item_id`.execute(db)
  return rows
}
