import { HOUR } from '@alcove/contract/rate-limits'
import type { UserContext } from '../../context.ts'
import { AppError, notFound } from '../../errors.ts'
import type { Database } from '../../platform/db/database.ts'
import { findMembership } from '../../platform/http/members.ts'
import { assertMayManage, findShare, type Share } from './share.ts'

/** Each invitation sends a mail to an address that the user chooses. */
export const INVITATIONS = { points: 100, seconds: HOUR }
/** Each sends a mail to everyone in a group of a provider. */
export const GROUP_INVITATIONS = { points: 20, seconds: HOUR }

/** Returns the folder if the user may invite people to it. Throws with the reason otherwise. */
export async function getInviting(ctx: UserContext, db: Database, folderId: string): Promise<Share> {
  const share = await findShare(ctx, db, folderId)
  if (!share) throw await explainMissing(ctx, db, folderId)
  assertMayManage(share)
  if (share.area === 'vault') {
    throw new AppError(
      'state_conflict',
      'Vault folders can’t be shared with people, because the files can be read only with your passphrase.',
    )
  }
  if (!ctx.user.isActivated) {
    throw new AppError('forbidden', 'Confirm your email address before you invite people.')
  }
  return share
}

/** A member knows that the folder exists, so the reason can be told. For all others it doesn't exist. */
async function explainMissing({ user }: UserContext, db: Database, folderId: string): Promise<AppError> {
  const isInside = user.hasSharedFolders && (await findMembership(db, user.id, [folderId]))
  if (!isInside) return notFound('folder')
  return new AppError('forbidden', 'Only the owner can share a folder that lies inside a shared folder.')
}
