import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { AppError } from '../../errors.ts'
import type { Database, Tx } from '../../platform/db/database.ts'
import { isAmong, textTable } from '../../platform/db/portable-sql.ts'
import { prepareQuery, type Value } from '../../platform/db/prepared-query.ts'
import type { ItemPropertyTable, Tables } from '../../platform/db/tables.ts'
import { assertUnlocked, type LockUser } from './locks/assert-unlocked.ts'

/** Windows stores four with each file. */
const MAX_PER_ITEM = 64
/** The bytes of one name and value. */
const MAX_SIZE = 16 * 1024
/** The longest name and namespace, in bytes: PostgreSQL indexes both together. */
const MAX_NAME_SIZE = 1024
/** The bytes of all properties of one user. Copies multiply them without using any quota. */
const MAX_PER_USER = 64 * 1024 * 1024

/** A property that a WebDAV client has stored with an item. */
export type ItemProperty = Pick<ItemPropertyTable, 'namespace' | 'name' | 'language' | 'value'>

/** A property to set, or with the value null to remove. */
export type PropertyChange = Omit<ItemProperty, 'value'> & { value: string | null }

/** Returns the properties of items by their ids. One statement. */
export async function listProperties(db: Database, itemIds: readonly string[]): Promise<Map<string, ItemProperty[]>> {
  if (itemIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('item_properties')
    .select(['item_id', 'namespace', 'name', 'language', 'value'])
    .where(isAmong(db, 'item_id', itemIds))
    .execute()
  return Map.groupBy(rows, ({ item_id }) => item_id)
}

/**
 * Sets and removes properties of an item, in this order. Throws 'too large' or 'storage full' above the limits, and 'locked' if
 * a lock prevents it. The owner's tree must be locked.
 */
export async function changeProperties(
  tx: Tx,
  user: LockUser,
  itemId: string,
  changes: readonly PropertyChange[],
  now: number,
): Promise<void> {
  await assertUnlocked(tx, user, now, [itemId])
  if (changes.length === 0) return
  const before = await tx
    .selectFrom('item_properties')
    .select(['namespace', 'name', 'size'])
    .where('item_id', '=', itemId)
    .execute()
  const sizes = new Map(before.map((row) => [keyOf(row), row.size]))
  const last = new Map(changes.map((change) => [keyOf(change), change]))
  let added = 0
  for (const [key, change] of last) {
    const size = change.value === null ? 0 : sizeOf({ ...change, value: change.value })
    added += size - (sizes.get(key) ?? 0)
    if (size > 0) sizes.set(key, size)
    else sizes.delete(key)
  }
  if (sizes.size > MAX_PER_ITEM) throw tooMany(`An item can have at most ${MAX_PER_ITEM} properties.`)
  await countBytes(tx, user.id, added)
  const rows = [...last.values()].map((change) => ({ ...change, size: String(sizes.get(keyOf(change)) ?? 0) }))
  const given = textTable(tx, ['namespace', 'name', 'language', 'value', 'size'], rows)
  await sql`delete from item_properties where item_id = ${itemId} and exists (
    select 1 from ${given} as given where given.namespace = item_properties.namespace and given.name = item_properties.name
  )`.execute(tx)
  await sql`insert into item_properties (item_id, namespace, name, language, value, size)
    select cast(${itemId} as text), namespace, name, language, value, cast(size as integer)
    from ${given} as given where value is not null`.execute(tx)
}

const keyOf = ({ namespace, name }: Pick<ItemProperty, 'namespace' | 'name'>) => `{${namespace}}${name}`

function sizeOf({ namespace, name, language, value }: ItemProperty): number {
  const named = Buffer.byteLength(namespace) + Buffer.byteLength(name)
  const size = named + Buffer.byteLength(language ?? '') + Buffer.byteLength(value)
  if (named > MAX_NAME_SIZE || size > MAX_SIZE) {
    throw new AppError('too_large', 'A property can have at most 16 KiB, and 1 KiB in its name.')
  }
  return size
}

function tooMany(message: string): AppError {
  return new AppError('storage_full', message)
}

/** Counts bytes of properties, and refuses more than a user may have. */
async function countBytes(tx: Tx, ownerId: string, added: number): Promise<void> {
  if (added === 0) return
  const { numAffectedRows } = await (added > 0 ? addBytes : removeBytes)(tx, { ownerId, added, max: MAX_PER_USER })
  if (numAffectedRows === 0n && added > 0) {
    throw tooMany('The properties of your files take too much space. Remove some of them, or copy fewer files.')
  }
}

type Counting = { ownerId: string; added: number; max: number }

const changeBytes = (db: Database, value: Value<Counting>) =>
  db
    .updateTable('users')
    .set((eb) => ({ property_bytes: eb('property_bytes', '+', value('added')) }))
    .where('id', '=', value('ownerId'))

const removeBytes = prepareQuery(changeBytes)

const addBytes = prepareQuery((db, value: Value<Counting>) =>
  changeBytes(db, value).where((eb) => eb(eb('property_bytes', '+', value('added')), '<=', value('max'))),
)

/** Copies the properties of a user's items to their copies. Two statements, or one if the user has no properties. */
export async function copyProperties(
  tx: Tx,
  ownerId: string,
  copies: readonly { source_id: string | null; copy_id: string | null }[],
): Promise<void> {
  if (!(await hasProperties(tx, ownerId))) return
  const given = textTable(tx, ['source_id', 'copy_id'], copies)
  const { rows } = await sql<{ bytes: number | string | null }>`
    select sum(source.size) as bytes from ${given} as given
    join item_properties source on source.item_id = given.source_id
    join items on items.id = given.source_id and items.owner_id = ${ownerId}`.execute(tx)
  await countBytes(tx, ownerId, Number(rows[0]?.bytes ?? 0))
  await sql`insert into item_properties (item_id, namespace, name, language, value, size)
    select given.copy_id, source.namespace, source.name, source.language, source.value, source.size
    from ${given} as given join item_properties source on source.item_id = given.source_id
    join items on items.id = given.source_id and items.owner_id = ${ownerId}`.execute(tx)
}

/** Deletes the properties of the selected items of one user, which are being deleted. */
export async function deletePropertiesOf(
  tx: Tx,
  ownerId: string,
  items: SelectQueryBuilder<Tables, 'items', { id: string }>,
): Promise<void> {
  if (!(await hasProperties(tx, ownerId))) return
  const { bytes } = await tx
    .selectFrom('item_properties')
    .select((eb) => eb.fn.sum<number | string | null>('size').as('bytes'))
    .where('item_id', 'in', items)
    .executeTakeFirstOrThrow()
  if (bytes === null) return
  await countBytes(tx, ownerId, -Number(bytes))
  await tx.deleteFrom('item_properties').where('item_id', 'in', items).execute()
}

/** Counts the properties of items that have got another owner for that owner, who must have enough space for them. */
export async function movePropertyBytes(
  tx: Tx,
  fromId: string,
  toId: string,
  itemIds: RawBuilder<unknown>,
): Promise<void> {
  if (!(await hasProperties(tx, fromId))) return
  const { rows } = await sql<{ bytes: number | string | null }>`
    select sum(size) as bytes from item_properties where item_id in ${itemIds}`.execute(tx)
  const bytes = Number(rows[0]?.bytes ?? 0)
  await countBytes(tx, toId, bytes)
  await countBytes(tx, fromId, -bytes)
}

async function hasProperties(tx: Tx, ownerId: string): Promise<boolean> {
  return ((await readPropertyBytes(tx, { ownerId })).rows[0]?.property_bytes ?? 0) > 0
}

const readPropertyBytes = prepareQuery((db, value: Value<{ ownerId: string }>) =>
  db.selectFrom('users').select('property_bytes').where('id', '=', value('ownerId')),
)
