import type { downloadItem as call } from '@alcove/contract/bytes'
import { AppError, notFound } from '../../../errors.ts'
import type { Operation } from '../../../platform/http/api.ts'
import { isRevoked, readGrant } from '../../../platform/secrets/signed-url.ts'
import { fileResponse, zipFolder } from '../../items/index.ts'
import { findSelection, zipSelection } from './zip-selection.ts'

/** The bytes behind a signed address: a file, or a folder or many items as a ZIP. The item must still be its owner's and visible. */
export const downloadItem: Operation<typeof call> = async (ctx, { id, owner, expires, signature }) => {
  const grant = { id, owner, expires: Number(expires) }
  const signedAt = readGrant(ctx.secrets.urlKey, 'download', grant, signature, ctx.clock.now())
  if (signedAt === undefined) throw expired()
  const found = await ctx.db
    .selectFrom('items')
    .innerJoin('users', 'users.id', 'items.owner_id')
    .selectAll('items')
    .select('grants_revoked_at')
    .where('items.id', '=', id)
    .where('owner_id', '=', owner)
    .where('trash_id', 'is', null)
    .where('users.deleted_at', 'is', null)
    .executeTakeFirst()
  if (found) {
    const { grants_revoked_at, ...item } = found
    if (isRevoked(signedAt, grants_revoked_at)) throw expired()
    return item.kind === 'file' ? fileResponse(item, 'attachment') : zipFolder(ctx, item)
  }
  const selection = await findSelection(ctx, id, owner)
  if (!selection) throw notFound('item')
  if (isRevoked(signedAt, selection.grants_revoked_at)) throw expired()
  return zipSelection(ctx, selection)
}

function expired(): AppError {
  return new AppError('forbidden', 'This download link has expired. Please start the download again.')
}
