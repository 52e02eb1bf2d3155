import type { revokePublicLink as revokeCall, updatePublicLink as updateCall } from '@alcove/contract/sharing'
import { AppError } from '../../errors.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { PublicLinkRow } from '../../platform/db/tables.ts'
import type { Operation } from '../../platform/http/api.ts'
import { hashPassword } from '../../platform/secrets/passwords.ts'
import { changeTree, getOwnItem } from '../items/index.ts'
import { ensurePublicLink, presentPublicLink } from './public-links.ts'

/** Hashing takes memory and time: a link gets a new password now and then, not all the time. */
const NEW_PASSWORDS = { points: 300, seconds: 15 * 60 }

export const updatePublicLink: Operation<typeof updateCall> = async (ctx, { id, enabled, password, expiresAt }) => {
  const now = ctx.clock.now()
  const expiry = expiresAt && Date.parse(expiresAt)
  if (expiry && expiry <= now) throw new AppError('malformed', 'The expiry date must be in the future.')
  await getOwnItem(ctx.db, ctx.user, id)
  if (password) await ctx.rateLimits.consume('new link passwords', NEW_PASSWORDS, ctx.user.id)
  // Before the transaction: hashing takes its time.
  const changes = {
    ...(password !== undefined && { password_hash: password && (await hashPassword(password)) }),
    ...(expiry !== undefined && { expires_at: expiry || null }),
  }
  return changeTree(ctx, async (tx) => {
    const item = await getOwnItem(tx, ctx.user, id)
    const link = await changeLink(tx, await ensurePublicLink(tx, item.id), changes)
    const changed = await tx
      .updateTable('items')
      .set((eb) => ({ shared_at: enabled ? eb.fn.coalesce('shared_at', eb.val(now)) : null }))
      .where('id', '=', item.id)
      .returning('shared_at')
      .executeTakeFirstOrThrow()
    return presentPublicLink(ctx.config, link, changed)
  })
}

export const revokePublicLink: Operation<typeof revokeCall> = (ctx, { id }) =>
  updatePublicLink(ctx, { id, enabled: false })

type LinkChanges = Partial<Pick<PublicLinkRow, 'password_hash' | 'expires_at'>>

async function changeLink(tx: Tx, link: PublicLinkRow, changes: LinkChanges): Promise<PublicLinkRow> {
  if (Object.keys(changes).length === 0) return link
  return tx
    .updateTable('public_links')
    .set(changes)
    .where('item_id', '=', link.item_id)
    .returningAll()
    .executeTakeFirstOrThrow()
}
