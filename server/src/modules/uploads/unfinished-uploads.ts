import { calls } from '@alcove/contract/calls'
import { sql } from 'kysely'
import type { Services } from '../../context.ts'
import type { Tx } from '../../platform/db/database.ts'
import { isAmong } from '../../platform/db/portable-sql.ts'
import type { UploadRow } from '../../platform/db/tables.ts'
import { endpoint } from '../../platform/http/api.ts'
import { changeQuota, findCaseTwins, isInReach, transactAndAnnounce } from '../items/index.ts'
import { queueBlobRemoval } from '../storage/index.ts'
import { findUploaded, getOwnUpload, isOfSender, lockOpenUpload } from './own-upload.ts'

export const getUpload = endpoint(calls.getUpload, async (ctx, { uploadId }) => {
  const upload = await getOwnUpload(ctx.db, ctx.user, uploadId)
  return {
    uploadId: upload.id,
    filename: upload.filename,
    totalChunks: upload.total_chunks,
    received: await listReceived(),
    file: await findUploaded(ctx.db, ctx.user, upload),
  }

  async function listReceived(): Promise<number[]> {
    // A completed upload has all its chunks, but no rows for them any more.
    if (upload.completed_at !== null) return Array.from({ length: upload.total_chunks }, (_, index) => index)
    const chunks = await ctx.db
      .selectFrom('upload_chunks')
      .select('chunk_index')
      .where('upload_id', '=', upload.id)
      .orderBy('chunk_index')
      .execute()
    return chunks.map((chunk) => chunk.chunk_index)
  }
})

/** Compares uploads with stored files. An upload in neither list never became a file. */
export const verifyUploads = endpoint(calls.verifyUploads, async (ctx, { uploadIds }) => {
  const completed = await ctx.db
    .selectFrom('uploads')
    .leftJoin('items', (join) =>
      join.onRef('items.id', '=', 'uploads.item_id').onRef('items.blob_key', '=', 'uploads.blob_key'),
    )
    .leftJoin('blobs', 'blobs.key', 'items.blob_key')
    .select(['uploads.id', 'blobs.size', 'items.id as item_id', 'items.parent_id', 'items.name'])
    .where('uploads.owner_id', '=', ctx.user.id)
    .where(isInReach(ctx.user, 'uploads.folder_id'))
    .where(isOfSender(ctx.user))
    .where('uploads.id', 'in', uploadIds)
    .where('uploads.completed_at', 'is not', null)
    .execute()
  const items = completed.flatMap(({ item_id, parent_id, name }) =>
    item_id === null || name === null ? [] : [{ id: item_id, parent_id, name }],
  )
  // Visitors don't learn other names, and members none outside the shared folder, where the owner may have moved a file.
  const twins = ctx.user.submission || ctx.user.member ? new Map<string, never>() : await findCaseTwins(ctx.db, items)
  return {
    stored: completed.flatMap(({ id, size, item_id }) =>
      size === null ? [] : [{ uploadId: id, size, caseTwin: twins.get(item_id ?? '') }],
    ),
    gone: completed.filter(({ size }) => size === null).map(({ id }) => id),
  }
})

export const cancelUpload = endpoint(calls.cancelUpload, async (ctx, { uploadId }) => {
  await transactAndAnnounce(ctx, async (tx) => discardUpload(ctx, tx, await lockOpenUpload(tx, ctx.user, uploadId)))
  return { message: 'The upload was cancelled.' }
})

/** Discards an unfinished upload, which must be locked: releases its reserved space and removes its bytes. */
export async function discardUpload(services: Services, tx: Tx, upload: UploadRow): Promise<void> {
  await tx.deleteFrom('uploads').where('id', '=', upload.id).execute()
  await changeQuota(tx, upload.owner_id, { reserved: -upload.reserved_bytes })
  await queueBlobRemoval(services, tx, [upload.blob_key], services.clock.now())
}

/** Discards unfinished uploads of members, because they may add nothing any more. The memberships must be locked. */
export async function discardUploadsOfMembers(services: Services, tx: Tx, memberIds: readonly string[]): Promise<void> {
  const open = await tx
    .deleteFrom('uploads')
    .where(isAmong(tx, 'member_id', memberIds))
    .where('completed_at', 'is', null)
    .returning(['owner_id', 'blob_key', 'reserved_bytes'])
    .execute()
  for (const [ownerId, uploads] of Map.groupBy(open, ({ owner_id }) => owner_id)) {
    const reserved = uploads.reduce((sum, { reserved_bytes }) => sum + reserved_bytes, 0)
    await changeQuota(tx, ownerId, { reserved: -reserved })
  }
  const keys = open.map(({ blob_key }) => blob_key)
  await queueBlobRemoval(services, tx, keys, services.clock.now())
}

/** A membership that begins and one that ends, because the owner of a shared folder has changed. */
interface HandOver {
  folderIds: readonly string[]
  fromId: string
  toId: string
  /** The membership of the old owner, and the former one of the new owner. */
  beginsId: string
  endsId: string
}

/**
 * Discards the unfinished uploads to folders that have got another owner. Finished ones stay known to those who sent them. Both trees
 * must be locked.
 */
export async function handOverUploads(services: Services, tx: Tx, change: HandOver): Promise<void> {
  const { folderIds, fromId, toId, beginsId, endsId } = change
  const isInside = isAmong(tx, 'folder_id', folderIds)
  const open = await tx
    .deleteFrom('uploads')
    .where('owner_id', '=', fromId)
    .where('completed_at', 'is', null)
    .where(isInside)
    .returning(['blob_key', 'reserved_bytes'])
    .execute()
  if (open.length > 0) {
    const reserved = open.reduce((sum, { reserved_bytes }) => sum + reserved_bytes, 0)
    await changeQuota(tx, fromId, { reserved: -reserved })
    const keys = open.map(({ blob_key }) => blob_key)
    await queueBlobRemoval(services, tx, keys, services.clock.now())
  }
  const sender = sql<string | null>`case when member_id = ${endsId} then null
    when member_id is null and submission_id is null then ${beginsId} else member_id end`
  await tx
    .updateTable('uploads')
    .set({ owner_id: toId, member_id: sender })
    .where('owner_id', '=', fromId)
    .where(isInside)
    .execute()
}

/**
 * Discards uploads that have waited too long for missing chunks, and forgets those completed long ago. Safe to run at
 * any time.
 */
export async function sweepUploads(services: Services): Promise<void> {
  const { db, clock } = services
  const now = clock.now()
  await db.deleteFrom('uploads').where('expires_at', '<', now).where('completed_at', 'is not', null).execute()
  const expired = await db.selectFrom('uploads').select('id').where('expires_at', '<', now).execute()
  for (const { id } of expired) {
    await db.transaction().execute(async (tx) => {
      const upload = await tx
        .updateTable('uploads')
        .set((eb) => ({ expires_at: eb.ref('expires_at') }))
        .where('id', '=', id)
        .where('expires_at', '<', now)
        .where('completed_at', 'is', null)
        .returningAll()
        .executeTakeFirst()
      if (upload) await discardUpload(services, tx, upload)
    })
  }
}
