import type { DriveScope } from '@alcove/contract/call'
import type { Role } from '@alcove/contract/roles'
import { sql } from 'kysely'
import type { SessionUser, UserContext } from '../../context.ts'
import type { Database } from '../../platform/db/database.ts'
import { isAmong } from '../../platform/db/portable-sql.ts'
import type { ItemRow } from '../../platform/db/tables.ts'
import {
  followFolders,
  type ItemProperty,
  type Lock,
  listLocks,
  listProperties,
  readFileNumbers,
  readTreeSizes,
} from '../items/index.ts'
import type { Mount } from './dav-path.ts'
import { readMountTags } from './mount-tags.ts'

/** The columns of an item that properties show. */
export type ResourceRow = Pick<
  ItemRow,
  | 'id'
  | 'kind'
  | 'name'
  | 'size'
  | 'blob_key'
  | 'created_at'
  | 'updated_at'
  | 'modified_at'
  | 'favorite_at'
  | 'shared_at'
  | 'changed_in'
  | 'trashed_at'
  | 'tree_size'
>

/** What has to be read besides an item for the properties that a client wants. */
export interface Needs {
  readonly locks: boolean
  /** What concerns the account: the quota, the owner, and since when its folders have tags. */
  readonly account: boolean
  readonly checksums: boolean
  readonly stored: boolean
  /** The numbers by which clients of Nextcloud identify items. */
  readonly numbers: boolean
  /** The total sizes of folders. */
  readonly sizes: boolean
}

export interface Checksums {
  sha1: string | null
  md5: string | null
  sha256: string | null
}

/** What properties show about the account. */
export interface Account {
  readonly email: string
  readonly displayName: string
  /** Undefined in the folder of somebody else. */
  readonly quota: { readonly usedBytes: number; readonly availableBytes: number } | undefined
  /** Since when clients follow changes of folders, as a version of the trees. Null if none does: then folders have no tags. */
  readonly followedSince: number | null
  /** What the client may do. */
  readonly scope: DriveScope
  /** The role in a shared folder. Undefined in the own drive. */
  readonly role?: Role | undefined
  /** What the tags of folders above mounts depend on besides (`readMountTags`). */
  readonly mountTags: ReadonlyMap<string, string>
}

/** A file or folder with everything that its properties show. */
export interface Resource {
  readonly row: ResourceRow
  /** Its address, percent-encoded. */
  readonly href: string
  readonly locks: readonly Lock[]
  readonly account: Account | undefined
  readonly checksums: Checksums | undefined
  readonly stored: readonly ItemProperty[]
  readonly number: number | undefined
  /** Of a file, or of everything below a folder, in bytes. Undefined if it was not asked for. */
  readonly totalSize: number | undefined
  /** Whether it is a shared folder that the client's user has placed here. */
  readonly isMount: boolean
}

/** Who asks: the user of `ctx`, or for the owner of a shared folder the user of `home`. */
interface Asking {
  readonly ctx: UserContext
  readonly mount: Mount
  readonly home?: { readonly user: SessionUser } | undefined
}

/** Reads what properties of items need: at most one statement for each kind of it, however many items there are. */
export async function readResources(
  ctx: UserContext,
  items: readonly (Pick<Resource, 'row' | 'href'> & Partial<Pick<Resource, 'isMount'>>)[],
  needs: Needs,
  account: Account | undefined,
): Promise<Resource[]> {
  const ids = items.map(({ row }) => row.id)
  const [locks, stored, checksums, numbers, sizes] = await Promise.all([
    needs.locks ? listLocks(ctx, ids) : undefined,
    needs.stored ? listProperties(ctx.db, ids) : undefined,
    needs.checksums
      ? readChecksums(
          ctx.db,
          items.flatMap(({ row }) => row.blob_key ?? []),
        )
      : undefined,
    needs.numbers ? readFileNumbers(ctx.db, ids) : undefined,
    needs.sizes
      ? readTreeSizes(
          ctx,
          items.flatMap(({ row }) => (row.kind === 'folder' ? [row] : [])),
        )
      : undefined,
  ])
  return items.map(({ row, href, isMount = false }) => ({
    // Members don't see what the owner has marked.
    row: account?.role === undefined ? row : { ...row, favorite_at: null, shared_at: null },
    href,
    isMount,
    locks: locks?.get(row.id) ?? [],
    account,
    checksums: row.blob_key === null ? undefined : checksums?.get(row.blob_key),
    stored: stored?.get(row.id) ?? [],
    number: numbers?.get(row.id),
    totalSize: row.kind === 'file' ? row.size : (sizes?.get(row.id) ?? row.tree_size ?? undefined),
  }))
}

/** Returns what the client may do in the own drive of its user. */
export function scopeOf({ ctx, home }: Omit<Asking, 'mount'>): DriveScope {
  // Tokens for administration are refused before.
  return ((home?.user ?? ctx.user).appPassword?.scope as DriveScope | undefined) ?? 'write'
}

/** Returns the checksums of stored bytes by their keys. One statement. */
export async function readChecksums(db: Database, keys: readonly string[]): Promise<Map<string, Checksums>> {
  if (keys.length === 0) return new Map()
  const { rows } = await sql<Checksums & { key: string }>`
    select key, sha1, md5, sha256 from blobs where ${isAmong(db, 'key', keys)}`.execute(db)
  return new Map(rows.map(({ key, ...checksums }) => [key, checksums]))
}

/**
 * Returns what properties show about the account. Unfinished uploads have reserved some of the available space (RFC 4331). Clients of
 * Nextcloud follow changes of folders from their first look at one.
 */
export async function readAccount(dav: Asking): Promise<Account> {
  const { ctx, mount } = dav
  const { email, display_name, allocated_bytes, used_bytes, reserved_bytes, followed_since } = await ctx.db
    .selectFrom('users')
    .select(['email', 'display_name', 'allocated_bytes', 'used_bytes', 'reserved_bytes', 'followed_since'])
    .where('id', '=', ctx.user.id)
    .executeTakeFirstOrThrow()
  const { member } = ctx.user
  const mustFollow = mount.isRemote === true && followed_since === null
  return {
    email,
    displayName: display_name ?? email,
    quota: member
      ? undefined
      : { usedBytes: used_bytes, availableBytes: Math.max(0, allocated_bytes - used_bytes - reserved_bytes) },
    followedSince: mustFollow ? await followFolders(ctx) : followed_since,
    scope: scopeOf(dav),
    role: member?.role,
    mountTags: await readMountTags(ctx.db, ctx.user),
  }
}
