import { calls } from '@alcove/contract/calls'
import { sql } from 'kysely'
import { notFound } from '../../../errors.ts'
import { endpoint } from '../../../platform/http/api.ts'
import { findPlan, hasPaidPlan, quotaOf } from '../../billing/index.ts'
import { sumTrash } from '../../files/index.ts'
import { listedColumns, presentUser, timeOrNull } from './list-users.ts'

/** Tables whose rows of a user are counted: by the user, or as the owner. */
const count = (table: string, column: 'user_id' | 'owner_id', condition = sql`true`) =>
  sql<number>`(select count(*) from ${sql.table(table)} where ${sql.ref(`${table}.${column}`)} = users.id and ${condition})`

/** Counts what a user has. Nothing here names a file. */
export const getUser = endpoint(calls.getUser, async (ctx, { id }) => {
  const { db, clock } = ctx
  const now = clock.now()
  const row = await db
    .selectFrom('users')
    .select(listedColumns)
    .select(['own_quota', 'version_bytes', 'item_count'])
    .select([
      count('sessions', 'user_id', sql`expires_at > ${now} and users.suspended_at is null`).as('sessions'),
      count('app_passwords', 'user_id', sql`(expires_at is null or expires_at > ${now})`).as('app_passwords'),
      count('passkeys', 'user_id').as('passkeys'),
      count('two_factor', 'user_id', sql`enabled_at is not null`).as('two_factor'),
      count('public_links', 'owner_id', sql`enabled_at is not null`).as('links'),
      count('members', 'user_id').as('memberships'),
      sql<number>`(select count(distinct folder_id) from members where members.owner_id = users.id)`.as(
        'shared_folders',
      ),
    ])
    .where('users.id', '=', id)
    .where('users.deleted_at', 'is', null)
    .executeTakeFirst()
  if (!row) throw notFound('user')
  return {
    ...presentUser(row),
    suspendedAt: timeOrNull(row.suspended_at),
    isPlanPaid: await hasPaidPlan(db, id),
    ownQuota: row.own_quota,
    planQuota: await quotaOf(ctx, db, await findPlan(ctx, row.plan_id)),
    versionBytes: row.version_bytes,
    trashedBytes: await sumTrash(db, id),
    itemCount: row.item_count,
    sessions: Number(row.sessions),
    appPasswords: Number(row.app_passwords),
    passkeys: Number(row.passkeys),
    hasTwoFactor: Number(row.two_factor) > 0,
    links: Number(row.links),
    sharedFolders: Number(row.shared_folders),
    memberships: Number(row.memberships),
  }
})
