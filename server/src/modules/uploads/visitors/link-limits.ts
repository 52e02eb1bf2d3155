import { extensionOf } from '@alcove/contract/file-types'
import { type SqlBool, sql } from 'kysely'
import type { SubmissionUse, UserContext } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { describeSize } from '../../items/index.ts'
import { notify } from '../../notices/index.ts'

/** A file that a visitor sends. */
interface SentFile {
  filename: string
  size: number
  /** Its upload, if that is open: what it reserves is not counted twice. */
  uploadId?: string | undefined
}

/** Throws unless a link allows the type and the size of a file. Needs no query. */
export function assertLinkAllows({ fileTypes, maxFileBytes }: SubmissionUse, { filename, size }: SentFile): void {
  if (fileTypes.length > 0 && !fileTypes.includes(extensionOf(filename))) {
    throw new AppError(
      'state_conflict',
      `“${filename}” can’t be sent here. Allowed file types: ${fileTypes.join(', ')}.`,
    )
  }
  if (maxFileBytes !== null && size > maxFileBytes) {
    throw new AppError(
      'too_large',
      `“${filename}” is too large. A file can have at most ${describeSize(maxFileBytes)} here.`,
    )
  }
}

/**
 * Throws unless a file fits into what a link accepts, with the files that other visitors are sending now. With `isComplete` it is
 * counted as received. The statement locks the link, after the owner's row.
 */
export async function takeLinkSpace(
  ctx: UserContext,
  tx: Tx,
  file: SentFile,
  { isComplete }: { isComplete: boolean },
): Promise<void> {
  const { submission } = ctx.user
  if (!submission) return
  assertLinkAllows(submission, file)
  const { size, uploadId = '' } = file
  const others = (what: string) => sql<number>`(select coalesce(${sql.raw(what)}, 0) from uploads
    where uploads.link_id = ${submission.linkId} and uploads.completed_at is null and uploads.id <> ${uploadId})`
  const { numUpdatedRows } = await tx
    .updateTable('public_links')
    .set((eb) => ({
      received_files: eb('received_files', '+', isComplete ? 1 : 0),
      received_bytes: eb('received_bytes', '+', isComplete ? size : 0),
    }))
    .where('id', '=', submission.linkId)
    .where(sql<SqlBool>`(max_files is null or received_files + 1 + ${others('count(*)')} <= max_files)`)
    .where(
      sql<SqlBool>`(max_bytes is null or received_bytes + ${size} + ${others('sum(reserved_bytes)')} <= max_bytes)`,
    )
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) {
    throw new AppError(
      'storage_full',
      'This link has received as much as it accepts. Ask the person who sent it to you.',
    )
  }
  if (!isComplete) return
  await notifyOwner(ctx, tx, submission)
  await tx
    .updateTable('submissions')
    .set((eb) => ({ files: eb('files', '+', 1), bytes: eb('bytes', '+', size), last_at: ctx.clock.now() }))
    .where('id', '=', submission.id)
    .execute()
}

/** Files that arrive through one link within an hour are one notice. */
async function notifyOwner(ctx: UserContext, tx: Tx, { id }: SubmissionUse): Promise<void> {
  const { item_id, name, label, title, visitor_name } = await tx
    .selectFrom('submissions')
    .innerJoin('public_links', 'public_links.id', 'submissions.link_id')
    .innerJoin('items', 'items.id', 'public_links.item_id')
    .select(['item_id', 'name', 'label', 'title', 'submissions.visitor_name'])
    .where('submissions.id', '=', id)
    .executeTakeFirstOrThrow()
  const data = { folderId: item_id, folder: name, link: label || (title ?? ''), visitor: visitor_name }
  await notify(ctx, tx, ctx.user.id, { kind: 'files_received', data })
}
