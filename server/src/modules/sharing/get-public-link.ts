import type { getPublicLink as call } from '@alcove/contract/sharing'
import type { Operation } from '../../platform/http/api.ts'
import { changeTree, getOwnItem } from '../items/index.ts'
import { ensurePublicLink, presentPublicLink } from './public-links.ts'

export const getPublicLink: Operation<typeof call> = async (ctx, { id }) => {
  const item = await getOwnItem(ctx.db, ctx.user, id)
  const known = await ctx.db.selectFrom('public_links').selectAll().where('item_id', '=', item.id).executeTakeFirst()
  if (known) return presentPublicLink(ctx.config, known, item)
  return changeTree(ctx, async (tx) => {
    const own = await getOwnItem(tx, ctx.user, id)
    return presentPublicLink(ctx.config, await ensurePublicLink(tx, own.id), own)
  })
}
