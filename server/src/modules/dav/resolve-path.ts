import { sql } from 'kysely'
import type { SessionUser } from '../../context.ts'
import type { Database } from '../../platform/db/database.ts'
import { isPostgres } from '../../platform/db/portable-sql.ts'
import { prepareQuery, type Value } from '../../platform/db/prepared-query.ts'
import type { ItemRow } from '../../platform/db/tables.ts'
import { isGuest } from '../items/index.ts'
import { DavError } from './dav-error.ts'
import type { DavPath } from './dav-path.ts'

/** What is at a path. */
export interface Found {
  readonly path: DavPath
  /** The items on the way that exist, from the root, at most as many as the path has names and one more. */
  readonly chain: readonly ItemRow[]
  readonly item: ItemRow | undefined
  /** The folder that contains the item, or would. Undefined for the root, and if it is missing or a file. */
  readonly parent: ItemRow | undefined
}

/** Finds what is at a path below the user's root, with one statement at any depth. */
export async function resolvePath(db: Database, user: SessionUser, path: DavPath): Promise<Found> {
  const { rows } = await walk(db, { names: namesFor(db, path), rootId: user.driveRootId, ownerId: user.id })
  const chain = rows.map(({ depth: _depth, ...row }) => row)
  // Members and visitors don't see the owner's mounts.
  if (isGuest(user) && chain.at(-1)?.mount_of) chain.pop()
  if (chain.length === 0) throw new DavError(404, 'This folder no longer exists.')
  const parent = path.length === 0 ? undefined : chain[path.length - 1]
  const isOwnFolder = parent?.kind === 'folder' && parent.mount_of === null
  return { path, chain, item: chain[path.length], parent: isOwnFolder ? parent : undefined }
}

/** Like `resolvePath`, but throws 404 if nothing is there. */
export async function getAt(db: Database, user: SessionUser, path: DavPath): Promise<Found & { item: ItemRow }> {
  const found = await resolvePath(db, user, path)
  if (!found.item) throw new DavError(404, 'Nothing is at this address.')
  return found as Found & { item: ItemRow }
}

/** Returns what was trashed with a folder, by its path below that. Throws 404. */
export async function getInTrash(db: Database, user: SessionUser, folderId: string, path: DavPath): Promise<ItemRow> {
  const { rows } = await walkTrash(db, { names: namesFor(db, path), rootId: folderId, ownerId: user.id })
  const found = rows[path.length]
  if (!found) throw new DavError(404, 'Nothing is at this address.')
  const { depth: _depth, ...item } = found
  return item
}

/** Returns a list of names as a parameter of a statement. */
function namesFor(db: Database, path: DavPath): string {
  return (isPostgres(db) ? path : JSON.stringify(path)) as string
}

const columns = [
  'id',
  'owner_id',
  'parent_id',
  'area',
  'kind',
  'name',
  'sort_key',
  'extension',
  'size',
  'blob_key',
  'vault_check',
  'favorite_at',
  'shared_at',
  'trashed_at',
  'trash_id',
  'created_at',
  'updated_at',
  'modified_at',
  'changed_in',
  'tree_size',
  'mount_of',
] as const satisfies readonly (keyof ItemRow)[]

const columnsOf = (table: string) => sql.join(columns.map((column) => sql.ref(`${table}.${column}`)))

/**
 * Follows the names from a folder: visible ones, or in the trash those that were trashed with it. Each step reads one entry of the
 * index of siblings, by folder and name.
 */
function prepareWalk(place: 'visible' | 'trash') {
  const isThere = sql.raw(place === 'visible' ? 'trash_id is null' : 'trash_id = id')
  return prepareQuery((db, value: Value<{ names: string; rootId: string; ownerId: string }>) => {
    const nextName = isPostgres(db)
      ? sql`(cast(${value('names')} as text[]))[way.depth + 1]`
      : sql`cast(${value('names')} as text) ->> way.depth`
    const query = sql<ItemRow & { depth: number }>`
      with recursive way (depth, ${sql.join(columns.map((column) => sql.ref(column)))}) as (
        select 0, ${columnsOf('items')} from items
        where id = ${value('rootId')} and owner_id = ${value('ownerId')} and kind = 'folder' and ${isThere}
        union all
        select way.depth + 1, ${columnsOf('child')} from way
        join items child on child.parent_id = way.id and child.name = ${nextName} and child.trashed_at is null
      )
      select * from way order by depth`
    return { compile: () => query.compile(db) }
  })
}

const walk = prepareWalk('visible')
const walkTrash = prepareWalk('trash')
