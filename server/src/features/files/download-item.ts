import type { downloadItem as call } from '@alcove/contract/bytes'
import { AppError } from '../../errors.ts'
import type { Operation } from '../../platform/http/api.ts'
import { isGranted } from '../../platform/secrets/signed-url.ts'
import { answerFile } from '../../tree/answer-bytes.ts'
import { zipFolder } from '../../tree/zip-folder.ts'
import { zipSelection } from './zip-selection.ts'

/** The bytes behind a signed address: a file, or a folder or many items as a ZIP. The item must still be its owner's and visible. */
export const downloadItem: Operation<typeof call> = async (ctx, { id, owner, expires, signature }) => {
  if (!isGranted(ctx.secrets.urlKey, 'download', { id, owner, expires: Number(expires) }, signature, ctx.clock.now())) {
    throw new AppError('forbidden', 'This download link has expired. Please start the download again.')
  }
  const item = await ctx.db
    .selectFrom('items')
    .innerJoin('users', 'users.id', 'items.owner_id')
    .selectAll('items')
    .where('items.id', '=', id)
    .where('owner_id', '=', owner)
    .where('trash_id', 'is', null)
    .where('users.deleted_at', 'is', null)
    .executeTakeFirst()
  if (!item) return zipSelection(ctx, id, owner)
  return item.kind === 'file' ? answerFile(item, 'attachment') : zipFolder(ctx, item)
}
