import type { NoticeContent } from '@alcove/contract/notices'
import type { Insertable } from 'kysely'
import type { Services } from '../../context.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { NoticeTable } from '../../platform/db/tables.ts'
import { orderedId } from '../../platform/ordered-id.ts'
import { bundleKeyOf, isMailedTogether } from './kinds.ts'

/** How long similar unread notices become one. In milliseconds. */
const BUNDLE_WINDOW = 3_600_000
/** A mail waits this long for what else happens. In milliseconds. */
export const MAIL_DELAY = 5 * 60_000

/** How many notices one statement adds. */
const ROWS_AT_ONCE = 500

/** A notice to give. `count` is the number of events, if it is more than one. */
export type NewNotice = NoticeContent & { count?: number }

/**
 * Gives a user a notice, in the transaction of what it is about. It counts further events in an unread notice of the last hour
 * that is about the same, in the same statement, so that concurrent transactions can't add two.
 */
export function notify(services: Pick<Services, 'clock'>, tx: Tx, userId: string, notice: NewNotice): Promise<void> {
  return notifyAll(services, tx, new Map([[userId, notice]]))
}

/** Like `notify`, for several users, by their ids. */
export async function notifyAll(
  { clock }: Pick<Services, 'clock'>,
  tx: Tx,
  notices: ReadonlyMap<string, NewNotice>,
): Promise<void> {
  const now = clock.now()
  const rows = [...notices].map(([userId, notice]) => {
    const { kind, data, count = 1 } = notice
    const key = bundleKeyOf(notice)
    const isMailed = isMailedTogether(kind)
    return {
      ...{ id: orderedId(), user_id: userId, kind, data: JSON.stringify(data), count },
      bundle: key === undefined ? null : `${kind} ${Math.floor(now / BUNDLE_WINDOW)} ${key}`,
      ...{ created_at: now, updated_at: now, read_at: null },
      ...{ mail_due_at: isMailed ? now + MAIL_DELAY : null, mail_count: isMailed ? count : 0 },
    }
  })
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) await insert(tx, rows.slice(at, at + ROWS_AT_ONCE))
}

async function insert(tx: Tx, rows: readonly Insertable<NoticeTable>[]): Promise<void> {
  await tx
    .insertInto('notices')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'bundle'])
        .where('read_at', 'is', null)
        .doUpdateSet((eb) => ({
          data: eb.ref('excluded.data'),
          count: eb('notices.count', '+', eb.ref('excluded.count')),
          updated_at: eb.ref('excluded.updated_at'),
          mail_due_at: eb.fn.coalesce('notices.mail_due_at', 'excluded.mail_due_at'),
          mail_count: eb('notices.mail_count', '+', eb.ref('excluded.mail_count')),
        })),
    )
    .execute()
}
