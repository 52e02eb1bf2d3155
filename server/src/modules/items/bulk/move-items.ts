import { sql } from 'kysely'
import { AppError } from '../../../errors.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { isAmong } from '../../../platform/db/portable-sql.ts'
import { noteScattered } from '../activity/note-activity.ts'
import { noteArrival, noteDeparture } from '../folder-changes.ts'
import { type LockUser, releaseLeaving } from '../locks/assert-unlocked.ts'
import { assertMayContainMounts } from '../mounts.ts'
import { claimNames, placeItems } from './claim-names.ts'
import type { Target } from './into-folder.ts'
import { assertNoFailures, type ChosenItem } from './selection.ts'

/**
 * Moves items into a folder; items that are already there stay as they are. Names that are taken there, or by another
 * of the items, are refused or numbered. Uses a handful of statements for any number of items. The user's tree must be
 * locked.
 */
export async function moveInto(
  tx: Tx,
  user: LockUser,
  target: Target,
  items: readonly ChosenItem[],
  onConflict: 'fail' | 'keepBoth',
  now: number,
): Promise<void> {
  const moving = items.filter((item) => item.parent_id !== target.id)
  if (moving.length === 0) return
  assertNotIntoThemselves(target, moving)
  if (moving.some(({ mount_of }) => mount_of !== null)) await assertMayContainMounts(tx, target.id)
  await releaseLeaving(tx, user, now, moving, target.id)
  const ids = moving.map(({ id }) => id)
  await noteDeparture(tx, user, ids)
  const wanted = moving.map(({ id, name }) => ({ id, name, parentId: target.id }))
  const newNames = await claimNames(tx, wanted, onConflict)
  const renamed = wanted.filter(({ id }) => newNames.has(id))
  await placeItems(
    tx,
    renamed.map((item) => ({ ...item, name: newNames.get(item.id) as string })),
    sql`, updated_at = ${now}`,
  )
  await tx
    .updateTable('items')
    .set({ parent_id: target.id, updated_at: now })
    .where(
      isAmong(
        tx,
        'id',
        wanted.filter(({ id }) => !newNames.has(id)).map(({ id }) => id),
      ),
    )
    .execute()
  await noteArrival(tx, user, ids)
  const named = newNames.size === 0 ? moving : moving.map((item) => withNewName(item, newNames.get(item.id)))
  noteScattered(tx, user, { action: 'moved', items: named, targetId: target.id, now })
}

function withNewName(item: ChosenItem, name: string | undefined): ChosenItem & { oldName?: string } {
  return name === undefined ? item : { ...item, name, oldName: item.name }
}

/** Throws if a folder would be moved into itself. */
export function assertNotIntoThemselves(target: Target, items: readonly ChosenItem[]): void {
  const around = new Set([target.id, ...target.ancestorIds])
  const refused = items.filter(({ id }) => around.has(id))
  assertNoFailures(
    refused.map(({ id, name }) => ({
      itemId: id,
      name,
      refusal: new AppError('state_conflict', `"${name}" cannot be moved into itself.`),
    })),
  )
}
