import { randomUUIDv7 } from 'node:crypto'
import type { SessionUser, UserContext } from '../../context.ts'
import { AppError } from '../../errors.ts'
import type { Tx } from '../../platform/db/database.ts'
import { prepareQuery, type Value } from '../../platform/db/prepared-query.ts'
import type { ItemRow } from '../../platform/db/tables.ts'
import { nameColumns, nameKey, numberedName, splitExtension } from './names.ts'
import type { Place } from './own-item.ts'
import { type Adding, takeSpace } from './quota.ts'

/** What is new about an item; the rest follows from where it is put. */
export type ItemDraft = Pick<ItemRow, 'kind' | 'name' | 'size' | 'blob_key'> & Partial<Pick<ItemRow, 'vault_check'>>

export function nameTaken(name: string): AppError {
  return new AppError('name_taken', `A file or folder named "${name}" already exists here.`)
}

/** Puts a new item into a folder; throws 'name taken' when there is one of that name. It must have been counted (`takeSpace`). */
export async function insertItem(
  tx: Tx,
  user: SessionUser,
  parent: Place,
  draft: ItemDraft,
  now: number,
): Promise<ItemRow> {
  const item = await tryInsertItem(tx, user, parent, draft, now)
  if (!item) throw nameTaken(draft.name)
  return item
}

/** Makes a folder in another and counts it; throws 'name taken' or 'item limit'. The user's tree must be locked. */
export async function addFolder(
  ctx: Adding & Pick<UserContext, 'clock'>,
  tx: Tx,
  parent: Place,
  name: string,
): Promise<ItemRow> {
  await takeSpace(tx, ctx, { items: 1 })
  return insertItem(tx, ctx.user, parent, { kind: 'folder', name, size: 0, blob_key: null }, ctx.clock.now())
}

/** Puts a new item into a folder, under `name (1).ext` and so on where its name is taken. */
export async function insertItemKeepingBoth(
  tx: Tx,
  user: SessionUser,
  parent: Place,
  draft: ItemDraft,
  now: number,
): Promise<ItemRow> {
  const item = await tryInsertItem(tx, user, parent, draft, now)
  if (item) return item
  return insertItem(tx, user, parent, { ...draft, name: await findFreeName(tx, parent.id, draft.name) }, now)
}

/** Undefined when the name is taken. Not an error of the database, which would end a transaction of PostgreSQL. */
async function tryInsertItem(
  tx: Tx,
  user: SessionUser,
  parent: Place,
  draft: ItemDraft,
  now: number,
): Promise<ItemRow | undefined> {
  const row: ItemRow = {
    ...draft,
    // Ids that rise with time keep the newest rows of an index together, on few pages.
    id: randomUUIDv7(),
    owner_id: user.id,
    parent_id: parent.id,
    area: parent.area,
    ...nameColumns(draft.name),
    vault_check: draft.vault_check ?? null,
    favorite_at: null,
    shared_at: null,
    trashed_at: null,
    trash_id: null,
    created_at: now,
    updated_at: now,
  }
  const { numAffectedRows } = await insertUnlessTaken(tx, row)
  return numAffectedRows === 0n ? undefined : row
}

const insertUnlessTaken = prepareQuery((db, value: Value<{ [Column in keyof ItemRow]: ItemRow[Column] }>) =>
  db
    .insertInto('items')
    .values({
      id: value('id'),
      owner_id: value('owner_id'),
      parent_id: value('parent_id'),
      area: value('area'),
      kind: value('kind'),
      name: value('name'),
      name_key: value('name_key'),
      sort_key: value('sort_key'),
      extension: value('extension'),
      size: value('size'),
      blob_key: value('blob_key'),
      vault_check: value('vault_check'),
      favorite_at: value('favorite_at'),
      trashed_at: value('trashed_at'),
      trash_id: value('trash_id'),
      created_at: value('created_at'),
      updated_at: value('updated_at'),
    })
    .onConflict((conflict) => conflict.columns(['parent_id', 'name_key']).where('trashed_at', 'is', null).doNothing()),
)

/** The first free of `name`, `name (1)`, `name (2)`, … in a folder, found with one query however many are taken. */
async function findFreeName(tx: Tx, parentId: string, name: string): Promise<string> {
  // The base may have been shortened to make room for the number: compare with what the longest number leaves.
  const [base] = splitExtension(numberedName(name, 999_999))
  const prefix = nameKey(base.slice(0, base.lastIndexOf(' (')))
  const siblings = await tx
    .selectFrom('items')
    .select('name_key')
    .where('parent_id', '=', parentId)
    .where('trashed_at', 'is', null)
    .where('name_key', '>=', prefix)
    .where('name_key', '<', `${prefix}\u{10ffff}`)
    .execute()
  const taken = new Set(siblings.map((sibling) => sibling.name_key))
  if (!taken.has(nameKey(name))) return name
  for (let number = 1; ; number++) {
    const candidate = numberedName(name, number)
    if (!taken.has(nameKey(candidate))) return candidate
  }
}
