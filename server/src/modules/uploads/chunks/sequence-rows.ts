import { createHash } from 'node:crypto'
import type { SessionUser } from '../../../context.ts'
import { notFound } from '../../../errors.ts'
import { KeyedLock } from '../../../platform/concurrency.ts'
import type { Database, Tx } from '../../../platform/db/database.ts'
import type { UploadRow } from '../../../platform/db/tables.ts'
import { lockUpload } from '../own-upload.ts'

/** An upload that nobody continues for so long is discarded. One that was finished so long ago is forgotten. */
export const SEQUENCE_TTL = 24 * 3_600_000

/** Takes the chunks of an upload one at a time, and its end after them. */
export const arriving = new KeyedLock()

/** Returns the id of the upload that a client calls `name`. Users, app passwords of one folder and members have names of their own. */
export function idOf({ id, appPassword, member }: SessionUser, name: string): string {
  const whose = [id, appPassword?.folderId ?? null, ...(member ? [member.id] : [])]
  const hash = createHash('sha256').update(JSON.stringify([...whose, name]))
  return hash.digest('hex').replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5')
}

/** Locks an upload until the transaction ends. Throws 'not found' if it was finished: then it no longer exists for clients. */
export async function lockSequence(tx: Tx, user: SessionUser, id: string): Promise<UploadRow> {
  const upload = await lockUpload(tx, user, id)
  if (upload.completed_at !== null) throw notFound('upload')
  return upload
}

export function readChunks(db: Database, id: string) {
  return (
    db
      .selectFrom('upload_chunks')
      .select(['chunk_index', 'number', 'size', 'is_parked'])
      .where('upload_id', '=', id)
      .orderBy('chunk_index')
      // Each chunk of these uploads has one.
      .$narrowType<{ number: number }>()
      .execute()
  )
}

export async function forgetChunk(tx: Tx, id: string, index: number): Promise<void> {
  await tx.deleteFrom('upload_chunks').where('upload_id', '=', id).where('chunk_index', '=', index).execute()
}

/**
 * Marks a chunk as missing until it has arrived again. Its place stays, so that those behind it keep theirs.
 */
export async function markMissing(tx: Tx, id: string, index: number): Promise<void> {
  await tx
    .updateTable('upload_chunks')
    .set({ is_parked: 1 })
    .where('upload_id', '=', id)
    .where('chunk_index', '=', index)
    .execute()
}

/** Returns how many bytes of a chunk have arrived: none while it arrives again. */
export function arrivedSize({ size, is_parked }: { size: number; is_parked: number }): number {
  return is_parked === 1 ? 0 : size
}
