import { calls } from '@alcove/contract/calls'
import { type Notice, noticeKinds } from '@alcove/contract/notices'
import type { Selectable } from 'kysely'
import { AppError } from '../../errors.ts'
import type { Database } from '../../platform/db/database.ts'
import { isAmong } from '../../platform/db/portable-sql.ts'
import type { NoticeTable } from '../../platform/db/tables.ts'
import { formatTime } from '../../platform/format.ts'
import { endpoint } from '../../platform/http/api.ts'

export const listNotices = endpoint(calls.listNotices, async ({ db, user }, { limit, cursor }) => {
  let page = selectNotices(db, user.id)
  if (cursor !== undefined) {
    const [createdAt, id] = cursor.split('.') as [string, string]
    page = page.where((eb) => eb(eb.refTuple('created_at', 'id'), '<', eb.tuple(Number(createdAt), id)))
  }
  // Reads one more, to know whether there is another page.
  const [rows, unread] = await Promise.all([page.limit(limit + 1).execute(), countUnread(db, user.id)])
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    notices: shown.map(presentNotice),
    unread,
    nextCursor: last && rows.length > limit ? `${last.created_at}.${last.id}` : null,
  }
})

/** Selects the notices of a user, newest first, without kinds that only a newer version of the program knows. */
function selectNotices(db: Database, userId: string) {
  return db
    .selectFrom('notices')
    .selectAll()
    .where('user_id', '=', userId)
    .where('kind', 'in', noticeKinds)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
}

function presentNotice(row: Selectable<NoticeTable>): Notice {
  return {
    id: row.id,
    kind: row.kind,
    data: JSON.parse(row.data),
    count: row.count,
    createdAt: formatTime(row.created_at),
    updatedAt: formatTime(row.updated_at),
    isRead: row.read_at !== null,
  } as Notice
}

/** Returns all notices of a user, for the export of their data. */
export async function readAllNotices(db: Database, userId: string): Promise<Notice[]> {
  return (await selectNotices(db, userId).execute()).map(presentNotice)
}

async function countUnread(db: Database, userId: string): Promise<number> {
  const { unread } = await db
    .selectFrom('notices')
    .select((eb) => eb.fn.countAll<number>().as('unread'))
    .where('user_id', '=', userId)
    .where('read_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(unread)
}

export const readNotices = endpoint(calls.readNotices, async ({ db, user, clock }, { noticeIds, upToId }) => {
  const now = clock.now()
  if (noticeIds) await readThese(db, user.id, [...new Set(noticeIds)], now)
  else if (upToId !== undefined) await readUpTo(db, user.id, upToId, now)
  return { unread: await countUnread(db, user.id) }
})

/** Marks notices as read: all or none. Those that were read before keep their time. */
async function readThese(db: Database, userId: string, ids: readonly string[], now: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('notices')
      .set((eb) => ({ read_at: eb.fn.coalesce('read_at', eb.val(now)) }))
      .where('user_id', '=', userId)
      .where(isAmong(tx, 'id', ids))
      .executeTakeFirstOrThrow()
    if (Number(numUpdatedRows) < ids.length) throw noticeNotFound()
  })
}

/**
 * Marks a notice and all that were created before it as read. Those that arrived after the user had fetched it stay unread. The
 * time of creation never changes, so it can be read first.
 */
async function readUpTo(db: Database, userId: string, id: string, now: number): Promise<void> {
  const last = await db
    .selectFrom('notices')
    .select('created_at')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (!last) throw noticeNotFound()
  await db
    .updateTable('notices')
    .set({ read_at: now })
    .where('user_id', '=', userId)
    .where('read_at', 'is', null)
    .where((eb) => eb(eb.refTuple('created_at', 'id'), '<=', eb.tuple(last.created_at, id)))
    .execute()
}

function noticeNotFound(): AppError {
  return new AppError('not_found', 'This notice was not found. It may have been removed because it is old.')
}
