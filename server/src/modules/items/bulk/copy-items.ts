import { MAX_COPIED_ITEMS } from '@alcove/contract/limits'
import { sql } from 'kysely'
import type { UserContext } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import type { Database, Tx } from '../../../platform/db/database.ts'
import { isAmong, textTable } from '../../../platform/db/portable-sql.ts'
import type { ItemRow } from '../../../platform/db/tables.ts'
import { orderedId } from '../../../platform/ordered-id.ts'
import { noteActivity } from '../activity/note-activity.ts'
import { noteArrival } from '../folder-changes.ts'
import { assertUnlocked } from '../locks/assert-unlocked.ts'
import { nameColumns } from '../names.ts'
import { copyProperties } from '../properties.ts'
import { type Adding, takeSpace } from '../quota.ts'
import { claimNames, NAME_COLUMNS } from './claim-names.ts'
import type { Target } from './into-folder.ts'
import type { ChosenItem } from './selection.ts'

/** An item to copy. `copyName` is the name of the copy, which is that of the item by default. */
type CopiedChoice = ChosenItem & { copyName?: string }

type CopiedItem = Pick<ItemRow, 'id' | 'parent_id' | 'size'>

/**
 * Copies items into a folder, each with everything visible below it. Returns the ids of the copies, in the order of the
 * items. The set of items is read before anything is inserted, so a folder can be copied into itself. The copies share
 * the bytes, which never change and are deleted with their last file; each copy counts towards the quota. Properties of
 * WebDAV clients are copied within the tree of a user; favorites, public links and mounts are not. The user of `ctx` gets the copies, and
 * need not own the items. Uses a handful of statements for any number of items. The user's tree and that of the items must be locked.
 */
export async function copyInto(
  tx: Tx,
  ctx: Adding,
  target: Target,
  chosen: readonly CopiedChoice[],
  onConflict: 'fail' | 'keepBoth',
  now: number,
  notedAs: 'copied' | 'added' = 'copied',
): Promise<string[]> {
  const items = withoutMounts(chosen)
  if (items.length > 0) await assertUnlocked(tx, ctx.user, now, [target.id])
  const sources = await listSubtrees(tx, items)
  const newNames = await claimNames(
    tx,
    items.map(({ id, name, copyName = name }) => ({ id, name: copyName, parentId: target.id })),
    onConflict,
  )
  for (const { id, copyName } of items) if (copyName !== undefined && !newNames.has(id)) newNames.set(id, copyName)
  await takeSpace(tx, ctx, { used: sources.reduce((sum, { size }) => sum + size, 0), items: sources.length })
  const tops = new Set(items.map(({ id }) => id))
  const copyIds = new Map(sources.map(({ id }) => [id, orderedId()]))
  const copies = sources.map(({ id, parent_id }) => {
    const newName = newNames.get(id)
    return {
      source_id: id,
      copy_id: copyIds.get(id) as string,
      new_parent_id: tops.has(id) ? target.id : (copyIds.get(parent_id as string) as string),
      ...(newName === undefined ? keptName : nameColumns(newName)),
    }
  })
  await insertCopies(tx, ctx.user.id, copies, now)
  await copyProperties(tx, ctx.user.id, copies)
  const arrived = items.map(({ id }) => copyIds.get(id) as string)
  await noteArrival(tx, ctx.user, arrived)
  const named = items.map((item, index) => ({
    ...item,
    id: arrived[index] as string,
    name: newNames.get(item.id) ?? item.name,
  }))
  noteActivity(tx, ctx.user, { action: notedAs, folderId: target.id, items: named, now })
  return arrived
}

/** A copy would be of the owner's files. Throws if there is nothing else to copy. */
function withoutMounts<I extends ChosenItem>(items: readonly I[]): I[] {
  const copied = items.filter(({ mount_of }) => mount_of === null)
  if (copied.length > 0 || items.length === 0) return copied
  throw new AppError('state_conflict', 'A shared folder can’t be copied as a whole. Open it and copy what is in it.')
}

const keptName = { name: null, sort_key: null, extension: null }

/** Limits copied items, because each one takes a row, and copies of empty files use no quota. */
const COPIES = { points: MAX_COPIED_ITEMS, seconds: 60 }

/**
 * Applies the rate limit of copies to the person who makes them. Called before the tree is locked, because the counter may be stored on
 * another server.
 */
export async function admitCopies(
  { db, user, rateLimits }: Pick<UserContext, 'db' | 'user' | 'rateLimits'>,
  items: readonly Pick<ChosenItem, 'id'>[],
): Promise<void> {
  const copies = Math.min(await countCopies(db, items), MAX_COPIED_ITEMS)
  if (copies > 0) await rateLimits.consume('copies', COPIES, user.member?.userId ?? user.id, copies)
}

/** Counts the items that a copy would create, up to one more than the limit. */
async function countCopies(db: Database, items: readonly Pick<ChosenItem, 'id'>[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with recursive below (id, kind, mount_of) as (
      select id, kind, mount_of from items where ${isAmong(
        db,
        'id',
        items.map(({ id }) => id),
      )}
      union all
      select child.id, child.kind, child.mount_of from below join items child on child.parent_id = below.id
      where below.kind = 'folder' and child.trash_id is null
    )
    select count(*) as count from (
      select id from below where mount_of is null limit ${MAX_COPIED_ITEMS + 1}
    ) counted`.execute(db)
  return Number(rows[0]?.count)
}

/**
 * Returns the items with everything visible below them. Throws if there are too many for one change. Mounts are left out at the end: as
 * a condition of the join, PostgreSQL without statistics takes it for so rare that it reads all items for each folder.
 */
async function listSubtrees(tx: Tx, items: readonly ChosenItem[]): Promise<CopiedItem[]> {
  const ids = items.map(({ id }) => id)
  const { rows } = await sql<CopiedItem>`
    with recursive below (id, parent_id, kind, size, mount_of) as (
      select id, parent_id, kind, size, mount_of from items where ${isAmong(tx, 'id', ids)}
      union all
      select child.id, child.parent_id, child.kind, child.size, child.mount_of
      from below join items child on child.parent_id = below.id
      where below.kind = 'folder' and child.trash_id is null
    )
    select id, parent_id, size from below where mount_of is null limit ${MAX_COPIED_ITEMS + 1}`.execute(tx)
  if (rows.length > MAX_COPIED_ITEMS) {
    const max = MAX_COPIED_ITEMS.toLocaleString('en-US')
    throw new AppError('too_large', `At most ${max} files and folders can be copied at once.`)
  }
  return rows
}

async function insertCopies(
  tx: Tx,
  ownerId: string,
  copies: readonly Record<'source_id' | 'copy_id' | 'new_parent_id' | (typeof NAME_COLUMNS)[number], string | null>[],
  now: number,
): Promise<void> {
  if (copies.length === 0) return
  const given = textTable(tx, ['source_id', 'copy_id', 'new_parent_id', ...NAME_COLUMNS], copies)
  await sql`
    insert into items (id, owner_id, parent_id, area, kind, name, sort_key, extension, size, tree_size, blob_key,
      vault_check, created_at, updated_at, modified_at)
    select given.copy_id, ${ownerId}, given.new_parent_id, source.area, source.kind,
      coalesce(given.name, source.name), coalesce(given.sort_key, source.sort_key),
      coalesce(given.extension, source.extension),
      source.size, source.tree_size, source.blob_key, source.vault_check, cast(${now} as bigint), cast(${now} as bigint),
      source.modified_at
    from ${given} as given join items source on source.id = given.source_id`.execute(tx)
}
