import { calls } from '@alcove/contract/calls'
import type { Services } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { formatTime } from '../../platform/format.ts'
import { endpoint } from '../../platform/http/api.ts'
import { bringBackFromTrash, changeTree, countFiles, DELETION_WINDOW, PROTECTED_FOR } from '../items/index.ts'

export const listDeletionGroups = endpoint(calls.listDeletionGroups, async ({ db, user, config }) => {
  const groups = await db
    .selectFrom('deletion_groups')
    .selectAll()
    .where('user_id', '=', user.id)
    .where('alarmed_at', 'is not', null)
    .$narrowType<{ alarmed_at: number }>()
    .where('dismissed_at', 'is', null)
    .where((eb) =>
      eb.exists(eb.selectFrom('items').select('items.id').whereRef('deletion_group', '=', 'deletion_groups.id')),
    )
    .orderBy('alarmed_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return {
    deletionGroups: groups.map((group) => ({
      id: group.id,
      app: group.app,
      appPassword: group.app_password_name,
      ...(group.member_email !== null && { member: group.member_email }),
      files: group.files,
      startedAt: formatTime(group.started_at),
      lastAt: formatTime(group.last_at),
      keptUntil: formatTime(Math.max(group.alarmed_at + PROTECTED_FOR, group.started_at + config.trashRetention)),
    })),
  }
})

export const restoreDeletionGroup = endpoint(calls.restoreDeletionGroup, async (ctx, { id }) => {
  const { clock, user } = ctx
  const files = await changeTree(ctx, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('deletion_groups')
      .set({ restored_at: clock.now() })
      .where('id', '=', id)
      .where('user_id', '=', user.id)
      .where('alarmed_at', 'is not', null)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) throw notFound('item')
    const items = await tx
      .selectFrom('items')
      .select(['id', 'parent_id', 'area', 'kind', 'name', 'trashed_at', 'trash_id', 'mount_of'])
      .where('deletion_group', '=', id)
      .where('owner_id', '=', user.id)
      .where('trashed_at', 'is not', null)
      .$narrowType<{ parent_id: string }>()
      .execute()
    const restored = await countFiles(tx, items)
    await bringBackFromTrash(tx, user, items, clock.now())
    return restored
  })
  return { message: `${files.toLocaleString('en-US')} ${files === 1 ? 'file' : 'files'} restored.`, files }
})

export const dismissDeletionGroup = endpoint(calls.dismissDeletionGroup, async ({ db, user, clock }, { id }) => {
  const { numUpdatedRows } = await db
    .updateTable('deletion_groups')
    .set({ dismissed_at: clock.now() })
    .where('id', '=', id)
    .where('user_id', '=', user.id)
    .where('alarmed_at', 'is not', null)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw notFound('item')
  return { message: 'Message dismissed. The files stay in the trash.' }
})

/** Removes groups that ended without an alarm, and those of which nothing is in the trash any more. Safe to run at any time. */
export async function sweepDeletionGroups({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<void> {
  await db
    .deleteFrom('deletion_groups')
    .where('last_at', '<=', clock.now() - DELETION_WINDOW)
    .where((eb) =>
      eb.or([
        eb('alarmed_at', 'is', null),
        eb.not(
          eb.exists(
            eb
              .selectFrom('items')
              .select('items.id')
              .whereRef('deletion_group', '=', 'deletion_groups.id')
              // The index has no others. PostgreSQL may read all items once instead of looking for each group.
              .where('deletion_group', 'is not', null),
          ),
        ),
      ]),
    )
    .execute()
}
