import { sql } from 'kysely'
import type { UserContext } from '../../context.ts'
import type { Database } from '../../platform/db/database.ts'
import { isAmong } from '../../platform/db/portable-sql.ts'
import type { ItemRow } from '../../platform/db/tables.ts'
import { type ItemProperty, type Lock, listLocks, listProperties } from '../items/index.ts'

/** The columns of an item that properties show. */
export type ResourceRow = Pick<
  ItemRow,
  'id' | 'kind' | 'name' | 'size' | 'blob_key' | 'created_at' | 'updated_at' | 'modified_at'
>

/** What has to be read besides an item for the properties that a client wants. */
export interface Needs {
  readonly locks: boolean
  readonly quota: boolean
  readonly checksums: boolean
  readonly stored: boolean
}

export interface Checksums {
  sha1: string | null
  md5: string | null
  sha256: string | null
}

export interface Quota {
  readonly used: number
  readonly available: number
}

/** A file or folder with everything that its properties show. */
export interface Resource {
  readonly row: ResourceRow
  /** Its address, percent-encoded. */
  readonly href: string
  readonly locks: readonly Lock[]
  readonly quota: Quota | undefined
  readonly checksums: Checksums | undefined
  readonly stored: readonly ItemProperty[]
}

/** Reads what properties of items need: at most one statement for each kind of it, however many items there are. */
export async function readResources(
  ctx: UserContext,
  items: readonly Pick<Resource, 'row' | 'href'>[],
  needs: Needs,
  quota: Quota | undefined,
): Promise<Resource[]> {
  const ids = items.map(({ row }) => row.id)
  const [locks, stored, checksums] = await Promise.all([
    needs.locks ? listLocks(ctx, ids) : undefined,
    needs.stored ? listProperties(ctx.db, ids) : undefined,
    needs.checksums
      ? readChecksums(
          ctx.db,
          items.flatMap(({ row }) => row.blob_key ?? []),
        )
      : undefined,
  ])
  return items.map(({ row, href }) => ({
    row,
    href,
    locks: locks?.get(row.id) ?? [],
    quota: row.kind === 'folder' ? quota : undefined,
    checksums: row.blob_key === null ? undefined : checksums?.get(row.blob_key),
    stored: stored?.get(row.id) ?? [],
  }))
}

/** Returns the checksums of stored bytes by their keys. One statement. */
export async function readChecksums(db: Database, keys: readonly string[]): Promise<Map<string, Checksums>> {
  if (keys.length === 0) return new Map()
  const { rows } = await sql<Checksums & { key: string }>`
    select key, sha1, md5, sha256 from blobs where ${isAmong(db, 'key', keys)}`.execute(db)
  return new Map(rows.map(({ key, ...checksums }) => [key, checksums]))
}

/** Returns the used and the available bytes of the account (RFC 4331), of which unfinished uploads have reserved some. */
export async function readQuota({ db, user }: UserContext): Promise<Quota> {
  const { allocated_bytes, used_bytes, reserved_bytes } = await db
    .selectFrom('users')
    .select(['allocated_bytes', 'used_bytes', 'reserved_bytes'])
    .where('id', '=', user.id)
    .executeTakeFirstOrThrow()
  return { used: used_bytes, available: Math.max(0, allocated_bytes - used_bytes - reserved_bytes) }
}
