import { MAX_DEPTH } from '@alcove/contract/limits'
import { sql } from 'kysely'
import type { SessionUser } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { isAmong } from '../../../platform/db/portable-sql.ts'
import { getOwnPlace, type Place } from '../own-item.ts'
import { listAncestors, tooDeep } from '../read/tree-queries.ts'
import { assertNoFailures, type ChosenItem } from './selection.ts'

/** The target folder of a move or copy, with the ids of its ancestors. */
export interface Target extends Place {
  ancestorIds: string[]
}

/** Returns the user's own folder, or the root of the items' area. Throws if the items cannot go there. */
export async function getOwnTarget(
  tx: Tx,
  user: SessionUser,
  folderId: string | undefined,
  items: readonly ChosenItem[],
): Promise<Target> {
  const place = await getOwnPlace(tx, user, folderId, items[0]?.area ?? 'drive')
  const apart = new AppError('state_conflict', "You can't move or copy items between your files and the vault.")
  const strangers = items.filter(({ area }) => area !== place.area)
  assertNoFailures(strangers.map(({ id, name }) => ({ itemId: id, name, refusal: apart })))
  const ancestorIds = (await listAncestors(tx, place.id)).map(({ id }) => id)
  const target = { ...place, ancestorIds }
  await assertDepthFree(tx, target, items)
  return target
}

/** Throws if the folders would exceed the depth limit below the target. One statement. */
async function assertDepthFree(tx: Tx, target: Target, items: readonly ChosenItem[]): Promise<void> {
  const folders = items.filter(({ kind }) => kind === 'folder')
  if (folders.length === 0) return
  const levelsLeft = MAX_DEPTH - target.ancestorIds.length - 1
  const { rows } = await sql<{ top: string }>`
    with recursive below (id, top, height) as (
      select id, id, 1 from items where ${isAmong(
        tx,
        'id',
        folders.map(({ id }) => id),
      )}
      union all
      select child.id, below.top, below.height + 1
      from below join items child on child.parent_id = below.id and child.kind = 'folder'
    )
    select top from below group by top having max(height) > ${levelsLeft}`.execute(tx)
  const tooHigh = new Set(rows.map(({ top }) => top))
  const refused = folders.filter(({ id }) => tooHigh.has(id))
  assertNoFailures(refused.map(({ id, name }) => ({ itemId: id, name, refusal: tooDeep() })))
}
