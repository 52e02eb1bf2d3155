import type { Context } from '../../context.ts'
import { AppError } from '../../errors.ts'
import type { ItemRow, PublicLinkRow, UserRow } from '../../platform/db/tables.ts'
import { isLinkToken } from '../../platform/secrets/link-token.ts'
import { hasAccess } from './link-access.ts'

/** A shared item, with what its link says of it. */
export type SharedRow = ItemRow & Pick<PublicLinkRow, 'token' | 'password_hash'> & Pick<UserRow, 'display_name'>

/**
 * What a link shares, whether or not it is locked. Unknown, disabled, expired, hidden by the trash and left of an account that
 * was deleted are one and the same: the same statement, which finds nothing, and the same refusal.
 */
export async function findShared({ db, clock }: Pick<Context, 'db' | 'clock'>, token: string): Promise<SharedRow> {
  const shared = await db
    .selectFrom('public_links')
    .innerJoin('items', 'items.id', 'public_links.item_id')
    .innerJoin('users', 'users.id', 'items.owner_id')
    .selectAll('items')
    .select(['public_links.token', 'public_links.password_hash', 'users.display_name'])
    .where('public_links.token', '=', isLinkToken(token) ? token : '')
    .where('items.shared_at', 'is not', null)
    .where('items.trash_id', 'is', null)
    .where('users.deleted_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', clock.now())]))
    .executeTakeFirst()
  if (!shared) throw new AppError('not_found', 'This link does not exist, or is no longer shared.')
  return shared
}

/** What a link shares. A password-protected link reveals nothing until it is unlocked. */
export async function openLink(ctx: Context, token: string, access: string | undefined): Promise<SharedRow> {
  const shared = await findShared(ctx, token)
  if (!hasAccess(ctx, shared, access)) throw new AppError('password_required', 'This link is protected by a password.')
  return shared
}
