import { calls } from '@alcove/contract/calls'
import { sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'
import { endpoint } from '../../../platform/http/api.ts'
import { describeVersion, NOTHING_SHARED, readSharedVersions } from '../../items/index.ts'
import { readAnnouncement, readMaintenance } from '../../site/index.ts'

export const getStorage = endpoint(calls.getStorage, async (ctx, { include }) => {
  const { tree_version, has_mass_deletion, unread, ...user } = await ctx.db
    .selectFrom('users')
    .select([
      'used_bytes',
      'version_bytes',
      'reserved_bytes',
      'allocated_bytes',
      'plan_name',
      'plan_id',
      'tree_version',
    ])
    .select((eb) =>
      eb
        .exists(
          eb
            .selectFrom('deletion_groups')
            .select('deletion_groups.id')
            .whereRef('user_id', '=', 'users.id')
            .where('alarmed_at', 'is not', null)
            .where('dismissed_at', 'is', null)
            .where((group) =>
              group.exists(
                group.selectFrom('items').select('items.id').whereRef('deletion_group', '=', 'deletion_groups.id'),
              ),
            ),
        )
        .as('has_mass_deletion'),
    )
    .select((eb) =>
      eb
        .selectFrom('notices')
        .select((notices) => notices.fn.countAll<number>().as('unread'))
        .whereRef('user_id', '=', 'users.id')
        .where('read_at', 'is', null)
        .as('unread'),
    )
    .where('id', '=', ctx.user.id)
    .executeTakeFirstOrThrow()
  const percent = user.allocated_bytes > 0 ? (user.used_bytes / user.allocated_bytes) * 100 : 100
  const shared = ctx.user.hasSharedFolders ? await readSharedVersions(ctx.db, [ctx.user.id]) : undefined
  const announcement = await readAnnouncement(ctx)
  const isClosed = ctx.user.isAdmin && (await readMaintenance(ctx)) !== undefined
  const storage = {
    ...user,
    ...(has_mass_deletion && !ctx.user.appPassword && { has_mass_deletion: true as const }),
    ...(!ctx.user.appPassword && {
      ...(announcement && { announcement }),
      ...(ctx.user.isAdmin && { is_admin: true as const }),
      ...(isClosed && { in_maintenance: true as const }),
      unread_notices: Number(unread),
      shared_version: shared?.get(ctx.user.id) ?? NOTHING_SHARED,
    }),
    usage_percent: Math.min(100, Math.round(percent * 100) / 100),
    version: describeVersion({ ...user, tree_version }),
  }
  return include === 'trash' ? { ...storage, trashed_bytes: await sumTrash(ctx.db, ctx.user.id) } : storage
})

/** Returns the total size of all files in the trash with their versions, including files inside trashed folders. */
export async function sumTrash(db: Database, userId: string): Promise<number> {
  const { rows } = await sql<{ bytes: number | string | null }>`
    select sum(size) as bytes from (
      select size from items where owner_id = ${userId} and trashed_at is not null
      union all
      select inside.size from items top join items inside on inside.trash_id = top.id and inside.trashed_at is null
      where top.owner_id = ${userId} and top.trashed_at is not null
      union all
      select versions.size from versions join items on items.id = versions.item_id
      where versions.owner_id = ${userId} and items.trash_id is not null
    ) trashed`.execute(db)
  return Number(rows[0]?.bytes ?? 0)
}
