import type { SubmissionUse, UserContext } from '../../../context.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { addFolderKeepingBoth, isWithin, noteActivity, type Place } from '../../items/index.ts'

/**
 * Returns the folder in which a submission's files go and the folders that are left to create below it. The topmost folder is the
 * submission's own: if the name is taken, by the owner or by another visitor, it gets another one, so nothing is merged.
 */
export async function openVisitorFolder(
  ctx: UserContext,
  tx: Tx,
  submission: SubmissionUse,
  { place, names }: { place: Place; names: readonly string[] },
): Promise<{ place: Place; names: readonly string[] }> {
  const [top, ...rest] = submission.folderName === null ? names : [submission.folderName, ...names]
  if (top === undefined) return { place, names: [] }
  const known = await findFolder(tx, submission, top)
  if (known && (await isWithin(tx, known.id, place.id))) return { place: known, names: rest }
  const folder = await addFolderKeepingBoth(ctx, tx, place, top)
  noteActivity(tx, ctx.user, { action: 'added', folderId: place.id, items: [folder], now: ctx.clock.now() })
  await tx
    .insertInto('submission_folders')
    .values({ submission_id: submission.id, name: top, folder_id: folder.id })
    // The owner has moved the earlier one away, or to the trash.
    .onConflict((conflict) => conflict.columns(['submission_id', 'name']).doUpdateSet({ folder_id: folder.id }))
    .execute()
  return { place: folder, names: rest }
}

async function findFolder(tx: Tx, { id }: SubmissionUse, name: string): Promise<Place | undefined> {
  return tx
    .selectFrom('submission_folders')
    .innerJoin('items', 'items.id', 'submission_folders.folder_id')
    .selectAll('items')
    .where('submission_id', '=', id)
    .where('submission_folders.name', '=', name)
    .where('items.trash_id', 'is', null)
    .executeTakeFirst()
}
