import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../../platform/db/database.ts'
import { isPostgres, textTable } from '../../../platform/db/portable-sql.ts'
import { nameTaken } from '../insert-item.ts'
import { nameColumns, numberedName } from '../names.ts'
import { assertNoFailures } from './selection.ts'

/** An item that needs a name in a folder. */
interface WantedName {
  id: string
  parentId: string
  name: string
}

/**
 * Finds names for many items with one statement if none is taken, and with two otherwise. Returns the items that cannot
 * have the name they want, each with a unique new name: `name (1).ext` and so on. With 'fail', throws instead. The
 * user's tree must be locked, so that free names stay free.
 */
export async function claimNames(
  tx: Tx,
  wanted: readonly WantedName[],
  onConflict: 'fail' | 'keepBoth',
): Promise<Map<string, string>> {
  const taken = await findTaken(tx, wanted)
  const claimed = new Set<string>()
  const losers = wanted.filter((one) => {
    const claim = claimOf(one.parentId, one.name)
    if (taken.has(one.id) || claimed.has(claim)) return true
    claimed.add(claim)
    return false
  })
  if (losers.length === 0) return new Map()
  if (onConflict === 'fail') {
    assertNoFailures(losers.map(({ id, name }) => ({ itemId: id, name, refusal: nameTaken(name) })))
  }
  await claimNumbered(tx, losers, claimed)
  return numberNames(losers, claimed)
}

const claimOf = (parentId: string, name: string) => `${parentId}/${name}`

/** Returns the items whose name a sibling already has. */
async function findTaken(tx: Tx, wanted: readonly WantedName[]): Promise<Set<string>> {
  const rows = wanted.map(({ id, parentId, name }) => ({ id, parent_id: parentId, name }))
  const { rows: taken } = await sql<{ id: string }>`
    select given.id from ${textTable(tx, ['id', 'parent_id', 'name'], rows)} as given
    join items on items.parent_id = given.parent_id and items.name = given.name and items.trashed_at is null
  `.execute(tx)
  return new Set(taken.map(({ id }) => id))
}

/**
 * Claims the numbered names in the target folders of these items. No other name can be one that `numberNames` tries. There may be a
 * hundred thousand, so there is a row for each folder, not for each name.
 */
async function claimNumbered(tx: Tx, items: readonly WantedName[], claimed: Set<string>): Promise<void> {
  const folders = [...new Set(items.map(({ parentId }) => parentId))].map((id) => ({ id }))
  const names = isPostgres(tx) ? sql`json_agg(items.name)` : sql`json_group_array(items.name)`
  const { rows } = await sql<{ parent_id: string; names: string[] | string }>`
    select items.parent_id, ${names} as names from ${textTable(tx, ['id'], folders)} as given
    join items on items.parent_id = given.id
    where items.trashed_at is null and items.name like '% (%)%' group by items.parent_id`.execute(tx)
  for (const { parent_id, names } of rows) {
    const all: string[] = typeof names === 'string' ? JSON.parse(names) : names
    for (const name of all) claimed.add(claimOf(parent_id, name))
  }
}

/**
 * Continues from the last number used for a name, so that thousands of equal names don't need thousands of tries each.
 */
function numberNames(losers: readonly WantedName[], claimed: Set<string>): Map<string, string> {
  const next = new Map<string, number>()
  const names = new Map<string, string>()
  for (const { id, parentId, name } of losers) {
    const claim = claimOf(parentId, name)
    for (let number = next.get(claim) ?? 1; ; number++) {
      const candidate = numberedName(name, number)
      const candidateClaim = claimOf(parentId, candidate)
      if (claimed.has(candidateClaim)) continue
      claimed.add(candidateClaim)
      next.set(claim, number + 1)
      names.set(id, candidate)
      break
    }
  }
  return names
}

export const NAME_COLUMNS = ['name', 'sort_key', 'extension'] as const

/** Sets the folder and name of many items at once. The names must be free. One statement. */
export async function placeItems(
  tx: Tx,
  placed: readonly { id: string; parentId: string; name: string }[],
  alsoSet: RawBuilder<unknown> = sql``,
): Promise<void> {
  if (placed.length === 0) return
  const rows = placed.map(({ id, parentId, name }) => ({ id, parent_id: parentId, ...nameColumns(name) }))
  await sql`
    update items set parent_id = given.parent_id, name = given.name, sort_key = given.sort_key,
      extension = given.extension ${alsoSet}
    from ${textTable(tx, ['id', 'parent_id', ...NAME_COLUMNS], rows)} as given
    where items.id = given.id`.execute(tx)
}
