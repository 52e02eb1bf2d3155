import { type RawBuilder, sql } from 'kysely'
import type { UserContext } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { isAmong, textTable } from '../../../platform/db/portable-sql.ts'
import { orderedId } from '../../../platform/ordered-id.ts'
import {
  assertUnlocked,
  changeQuota,
  changeTree,
  getOwnPlace,
  nameColumns,
  nameTaken,
  noteActivity,
  noteFilesAdded,
  takeSpace,
} from '../../items/index.ts'
import { ensureFolders, type Opened } from '../destination.ts'

/** A file whose bytes are on stable storage, and its place in the drive. */
export interface ImportedFile {
  /** The names of the folders around it, from the root of the drive. */
  readonly folders: readonly string[]
  readonly filename: string
  readonly size: number
  readonly modifiedAt: number
  readonly blobKey: string
  /** Null if it is computed later. */
  readonly sha256: string | null
}

/** A file and the folder that gets it. */
interface Placed {
  file: ImportedFile
  opened: Opened
  id: string
}

export interface Committed {
  /** Why some of the files were refused. Their bytes are not used. */
  readonly refused: ReadonlyMap<ImportedFile, AppError>
  /** The files for which the time did not suffice. Nothing was done about them. */
  readonly left: readonly ImportedFile[]
  /** How long others had to wait, in milliseconds: without the time before the lock was free, and without the sync of the disk. */
  readonly heldFor: number
}

/**
 * Creates many files in one transaction, with the missing folders around them. Each folder takes some statements, so it begins with
 * no further one after `within` milliseconds. Throws 'over quota' or 'item limit' if not all of the files fit, and then creates none.
 */
export function commitImported(ctx: UserContext, files: readonly ImportedFile[], within: number): Promise<Committed> {
  return changeTree(ctx, async (tx) => {
    const start = performance.now()
    const refused = new Map<ImportedFile, AppError>()
    const placed: Placed[] = []
    const left: ImportedFile[] = []
    for (const some of Map.groupBy(files, ({ folders }) => folders.join('/')).values()) {
      if (placed.length + refused.size > 0 && performance.now() - start > within) {
        left.push(...some)
        continue
      }
      const opened = await openFolder(ctx, tx, some[0]?.folders ?? [])
      for (const file of some) {
        if (opened instanceof AppError) refused.set(file, opened)
        else placed.push({ file, opened, id: orderedId() })
      }
    }
    for (const { file } of await insertPlaced(ctx, tx, placed)) refused.set(file, nameTaken(file.filename))
    return { refused, left, heldFor: performance.now() - start }
  })
}

/** Creates the missing folders of a path. */
export async function createImportedFolder(ctx: UserContext, folders: readonly string[]): Promise<void> {
  await changeTree(ctx, async (tx) => {
    await ensureFolders(ctx, tx, await getOwnPlace(tx, ctx.user, undefined, 'drive'), folders)
  })
}

/** Opens a folder and creates it if it is missing. Returns why that can't be, unless it concerns all folders. */
async function openFolder(ctx: UserContext, tx: Tx, folders: readonly string[]): Promise<Opened | AppError> {
  try {
    const root = await getOwnPlace(tx, ctx.user, undefined, 'drive')
    const opened = await ensureFolders(ctx, tx, root, folders)
    await assertUnlocked(tx, ctx.user, ctx.clock.now(), [opened.parent.id])
    return opened
  } catch (error) {
    if (error instanceof AppError && error.code !== 'item_limit') return error
    throw error
  }
}

/** Inserts files and counts them. Returns those whose name is taken. */
async function insertPlaced(ctx: UserContext, tx: Tx, placed: readonly Placed[]): Promise<Placed[]> {
  if (placed.length === 0) return []
  const { user, clock } = ctx
  const now = clock.now()
  await takeSpace(tx, ctx, { used: sizeOf(placed), items: placed.length })
  await insertBlobs(tx, placed, now)
  const inserted = await insertItems(tx, user.id, placed, now)
  const created = placed.filter(({ id }) => inserted.has(id))
  const lost = placed.filter(({ id }) => !inserted.has(id))
  if (lost.length > 0) {
    await changeQuota(tx, user.id, { used: -sizeOf(lost), items: -lost.length })
    await tx
      .deleteFrom('blobs')
      .where(
        isAmong(
          tx,
          'key',
          lost.map(({ file }) => file.blobKey),
        ),
      )
      .execute()
  }
  await noteFilesAdded(
    tx,
    user,
    created.map(({ file, opened }) => ({ folderId: opened.parent.id, size: file.size })),
  )
  for (const some of Map.groupBy(created, ({ opened }) => opened.notedIn.id).values()) {
    const folder = some[0]?.opened.notedIn
    if (!folder) continue
    const items = some.map(({ id, file }) => ({ id, kind: 'file', name: file.filename, area: 'drive' }) as const)
    noteActivity(tx, user, { action: 'added', folderId: folder.id, folderName: folder.name, items, now })
  }
  return lost
}

function sizeOf(placed: readonly Placed[]): number {
  return placed.reduce((sum, { file }) => sum + file.size, 0)
}

async function insertBlobs(tx: Tx, placed: readonly Placed[], now: number): Promise<void> {
  const rows = placed.map(({ file }) => ({ key: file.blobKey, size: String(file.size), sha256: file.sha256 }))
  await sql`
    insert into blobs (key, size, created_at, sha256)
    select given.key, cast(given.size as bigint), ${bigint(now)}, given.sha256
    from ${textTable(tx, ['key', 'size', 'sha256'], rows)} as given`.execute(tx)
}

const COLUMNS = ['id', 'parent_id', 'name', 'sort_key', 'extension', 'size', 'blob_key', 'modified_at'] as const

/** Returns the ids of the items that were inserted: those whose name was free. */
async function insertItems(tx: Tx, ownerId: string, placed: readonly Placed[], now: number): Promise<Set<string>> {
  const rows = placed.map(({ id, file, opened }) => ({
    id,
    parent_id: opened.parent.id,
    ...nameColumns(file.filename),
    size: String(file.size),
    blob_key: file.blobKey,
    modified_at: String(file.modifiedAt),
  }))
  // Without the condition SQLite would take `on conflict` for a join.
  const { rows: inserted } = await sql<{ id: string }>`
    insert into items (id, owner_id, parent_id, area, kind, name, sort_key, extension, size, blob_key, created_at, updated_at, modified_at)
    select given.id, ${ownerId}, given.parent_id, 'drive', 'file', given.name, given.sort_key, given.extension,
      cast(given.size as bigint), given.blob_key, ${bigint(now)}, ${bigint(now)}, cast(given.modified_at as bigint)
    from ${textTable(tx, COLUMNS, rows)} as given where true
    on conflict (parent_id, name) where trashed_at is null do nothing
    returning id`.execute(tx)
  return new Set(inserted.map(({ id }) => id))
}

function bigint(value: number): RawBuilder<number> {
  return sql`cast(${value} as bigint)`
}
