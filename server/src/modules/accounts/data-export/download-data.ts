import type { downloadData as call } from '@alcove/contract/accounts'
import { AppError } from '../../../errors.ts'
import type { Operation } from '../../../platform/http/api.ts'
import { isRevoked, readGrant } from '../../../platform/secrets/signed-url.ts'
import { streamZip } from '../../../platform/zip/stream-zip.ts'
import { listDataEntries } from './data-entries.ts'

/** All that is kept of a user, as a ZIP that is made while it is sent. */
export const downloadData: Operation<typeof call> = async (ctx, { owner, expires, signature }) => {
  const grant = { id: owner, owner, expires: Number(expires) }
  const signedAt = readGrant(ctx.secrets.urlKey, 'account', grant, signature, ctx.clock.now())
  const user =
    signedAt !== undefined &&
    (await ctx.db
      .selectFrom('users')
      .selectAll()
      .where('id', '=', owner)
      .where('deleted_at', 'is', null)
      .executeTakeFirst())
  if (!user || isRevoked(signedAt, user.grants_revoked_at))
    throw new AppError('forbidden', 'This download link has expired. Please start the download again.')
  return {
    kind: 'stream',
    filename: `Alcove ${new Date(ctx.clock.now()).toISOString().slice(0, 10)}.zip`,
    mimeType: 'application/zip',
    isLimited: true,
    open: () => streamZip(listDataEntries(ctx, user)),
  }
}
