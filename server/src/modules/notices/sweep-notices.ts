import { MAX_NOTICES, NOTICE_TTL } from '@alcove/contract/limits'
import { sql } from 'kysely'
import type { Services } from '../../context.ts'

/** A user without a notice in this time can't have got too many since the last sweep. In milliseconds. */
const RECENT = 2 * 24 * 3_600_000

/** Deletes old notices, and the oldest of users who have too many. Safe to run at any time. */
export async function sweepNotices({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<void> {
  const now = clock.now()
  await db
    .deleteFrom('notices')
    .where('created_at', '<=', now - NOTICE_TTL)
    .execute()
  await sql`delete from notices where id in (
    select id from (
      select id, row_number() over (partition by user_id order by created_at desc, id desc) as place
      from notices where user_id in (select user_id from notices where created_at > ${now - RECENT})
    ) ranked where place > ${MAX_NOTICES})`.execute(db)
}
