import { sql } from 'kysely'
import type { Services, UserContext } from '../../context.ts'
import type { ItemRow } from '../../platform/db/tables.ts'
import { changeQuota, changeTree, deleteVersionRows } from '../items/index.ts'
import { measureBlob } from '../storage/index.ts'

/** Larger files are compared later, because reading them would delay the response. In bytes. */
const MAX_COMPARED = 64 * 1024 * 1024

/**
 * Returns the digest of bytes that are about to replace those of a file, if both may be the same: they have the same size.
 * Otherwise, and for large files, returns null.
 */
export async function digestToCompare(
  ctx: UserContext,
  file: Pick<ItemRow, 'size' | 'blob_key'>,
  next: { blobKey: string; size: number },
): Promise<string | null> {
  return (await prepareComparison(ctx, file, next.size)) ? (await measureBlob(ctx.blobs, next.blobKey)).sha256 : null
}

/**
 * Computes the digest of a file's bytes if it is unknown and bytes of a size, which are about to replace them, may be the same.
 * Returns whether they may be.
 */
export async function prepareComparison(
  { db, blobs }: UserContext,
  file: Pick<ItemRow, 'size' | 'blob_key'>,
  size: number,
): Promise<boolean> {
  if (file.size !== size || size > MAX_COMPARED) return false
  const key = file.blob_key as string
  const known = await db.selectFrom('blobs').select('sha256').where('key', '=', key).executeTakeFirst()
  if (known?.sha256 != null) return true
  // Damaged or missing bytes differ from the new ones.
  const measured = await measureBlob(blobs, key).catch(() => undefined)
  if (measured?.size !== file.size) return false
  await db
    .updateTable('blobs')
    .set({ sha256: measured.sha256 })
    .where('key', '=', key)
    .where('sha256', 'is', null)
    .execute()
  return true
}

/**
 * Deletes the unnamed versions whose bytes turn out to be the same as the next newer ones of the file. The digest of a large
 * file is computed only after it was stored, so such a version exists for a while. `blobKey` is the blob whose digest is new.
 */
export async function deleteIdenticalVersions(services: Services, blobKey: string): Promise<void> {
  const { db, events } = services
  const { rows: files } = await sql<{ id: string; owner_id: string }>`
    select files.id, files.owner_id from (
      select id, owner_id from items where blob_key = ${blobKey} and exists (select 1 from versions where item_id = items.id)
      union select item_id, owner_id from versions where blob_key = ${blobKey}) files
    join users on users.id = files.owner_id and users.deleted_at is null`.execute(db)
  for (const file of files) {
    await changeTree({ db, events, user: { id: file.owner_id } }, async (tx) => {
      const { rows } = await sql<{ id: string }>`
        select id from (
          select versions.id, versions.name, blobs.sha256,
            case when lead(versions.id) over newer is null then current.sha256 else lead(blobs.sha256) over newer end as next_sha256
          from versions
          join blobs on blobs.key = versions.blob_key
          join items on items.id = versions.item_id
          join blobs current on current.key = items.blob_key
          where versions.item_id = ${file.id}
          window newer as (order by versions.created_at)) history
        where name is null and sha256 = next_sha256`.execute(tx)
      const bytes = await deleteVersionRows(
        services,
        tx,
        rows.map(({ id }) => id),
      )
      await changeQuota(tx, file.owner_id, { used: -bytes, versions: -bytes })
    })
  }
}
