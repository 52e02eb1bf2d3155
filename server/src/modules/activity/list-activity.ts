import type { Activity } from '@alcove/contract/activity'
import { calls } from '@alcove/contract/calls'
import { type SqlBool, sql } from 'kysely'
import type { SessionUser } from '../../context.ts'
import { notFound } from '../../errors.ts'
import type { Database } from '../../platform/db/database.ts'
import { isAmong } from '../../platform/db/portable-sql.ts'
import { endpoint } from '../../platform/http/api.ts'
import { getOwnPlace } from '../items/index.ts'
import { type FoundActivity, presentActivities } from './present-activity.ts'

interface Page {
  /** Begins behind this entry. */
  after?: { began_at: number; id: string } | undefined
  limit: number
}

export const listActivity = endpoint(calls.listActivity, async ({ db, user }, { folderId, limit, cursor }) => {
  const folder = await getOwnPlace(db, user, folderId, 'drive')
  if (folder.area !== 'drive') throw notFound('folder')
  const [beganAt, id] = cursor?.split('.') ?? []
  const after = beganAt === undefined || id === undefined ? undefined : { began_at: Number(beganAt), id }
  // Reads one more, to know whether there is another page.
  const rows = await selectActivities(db, user, await findPlaces(db, user, folder.id), { after, limit: limit + 1 })
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    activities: await presentActivities(db, user, shown),
    nextCursor: last && rows.length > limit ? `${last.began_at}.${last.id}` : null,
  }
})

/** Yields what happened in a user's drive, newest first, for the export of their data. */
export async function* listAllActivity(db: Database, user: Readers): AsyncGenerator<Activity[]> {
  const limit = 500
  for (let after: Page['after']; ; ) {
    const rows = await selectActivities(db, user, undefined, { after, limit })
    yield await presentActivities(db, user, rows)
    if (rows.length < limit) return
    after = rows.at(-1)
  }
}

/** Who reads: the owner, or one who is limited to a folder of theirs. */
type Readers = Pick<SessionUser, 'id' | 'driveRootId' | 'vaultRootId' | 'appPassword' | 'member'>

/**
 * Returns the entries of a page, newest first, with the names of those who did it. `places` are the folders in which something
 * happened or that something left; all if undefined.
 */
async function selectActivities(
  db: Database,
  user: Readers,
  places: readonly string[] | undefined,
  { after, limit }: Page,
): Promise<FoundActivity[]> {
  let page = db
    .selectFrom('activities')
    .leftJoin('users', (join) => join.onRef('users.id', '=', 'activities.actor_id').on('users.deleted_at', 'is', null))
    .selectAll('activities')
    .select(['users.email', 'users.display_name'])
    .where('owner_id', '=', user.id)
  if (places)
    page = page.where((eb) => eb.or([amongPlaces(db, 'folder_id', places), amongPlaces(db, 'origin_id', places)]))
  // Members see nothing of the trash.
  if (user.member) page = page.where('action', '<>', 'deleted')
  if (after) {
    page = page.where((eb) => eb(eb.refTuple('began_at', 'activities.id'), '<', eb.tuple(after.began_at, after.id)))
  }
  return page.orderBy('began_at', 'desc').orderBy('activities.id', 'desc').limit(limit).execute()
}

const amongPlaces = (db: Database, column: string, places: readonly string[]) =>
  sql<SqlBool>`${isAmong(db, `activities.${column}`, places)}`

/**
 * Returns the folders of a user's entries that are a folder or lie below it now. Undefined for all, which the root of the drive
 * has. It goes up from the folders of the entries, each of which it visits once, because far more may lie below.
 */
async function findPlaces(db: Database, user: Readers, folderId: string): Promise<string[] | undefined> {
  if (folderId === user.driveRootId && !user.appPassword?.folderId) return undefined
  const { rows } = await sql<{ id: string; parent_id: string | null }>`
    with recursive noted (id) as (
      select folder_id from activities where owner_id = ${user.id}
      union
      select origin_id from activities where owner_id = ${user.id} and origin_id is not null
    ), around (id, parent_id) as (
      select items.id, items.parent_id from noted join items on items.id = noted.id
      union
      select folder.id, folder.parent_id from around join items folder on folder.id = around.parent_id
    )
    select around.id, around.parent_id from around`.execute(db)
  const parentOf = new Map(rows.map(({ id, parent_id }) => [id, parent_id]))
  const known = new Map<string, boolean>([[folderId, true]])
  const isWithin = (id: string): boolean => {
    const isKnown = known.get(id)
    if (isKnown !== undefined) return isKnown
    const parent = parentOf.get(id)
    const found = parent != null && isWithin(parent)
    known.set(id, found)
    return found
  }
  return [...parentOf.keys()].filter(isWithin)
}
