import type { ParsedInputOf, ResponseOf } from '@alcove/contract/call'
import { calls } from '@alcove/contract/calls'
import type { UserContext } from '../../context.ts'
import { endpoint } from '../../platform/http/api.ts'
import { changeTree, getOwnItem } from '../items/index.ts'
import { changeLinkRow, readLinkChanges } from './change-link.ts'
import { ensureFirstLink, presentPublicLink } from './link-rows.ts'

/** The calls of the specification: each item has one link, which lasts as long as the item. It is the first of its links. */
export const getPublicLink = endpoint(calls.getPublicLink, async (ctx, { id }) => {
  const item = await getOwnItem(ctx.db, ctx.user, id)
  const known = await ctx.db
    .selectFrom('public_links')
    .selectAll()
    .where('item_id', '=', item.id)
    .where('is_first', '=', 1)
    .executeTakeFirst()
  if (known) return presentPublicLink(ctx.config, known)
  return changeTree(ctx, async (tx) => {
    const own = await getOwnItem(tx, ctx.user, id)
    return presentPublicLink(ctx.config, await ensureFirstLink(tx, own, ctx.clock.now()))
  })
})

export const updatePublicLink = endpoint(calls.updatePublicLink, changePublicLink)

export const revokePublicLink = endpoint(calls.revokePublicLink, (ctx, { id }) =>
  changePublicLink(ctx, { id, enabled: false }),
)

/** Enables or disables the first link of an item, which is created if there is none, and sets what is given. */
export async function changePublicLink(
  ctx: UserContext,
  { id, ...settings }: ParsedInputOf<typeof calls.updatePublicLink>,
): Promise<ResponseOf<typeof calls.updatePublicLink>> {
  await getOwnItem(ctx.db, ctx.user, id)
  const changes = await readLinkChanges(ctx, settings)
  return changeTree(ctx, async (tx) => {
    const item = await getOwnItem(tx, ctx.user, id)
    const link = await ensureFirstLink(tx, item, ctx.clock.now())
    return presentPublicLink(ctx.config, await changeLinkRow(ctx, tx, link, changes))
  })
}

/** Disables all links, including those of trashed items, which would be shared again when restored. */
export const revokePublicLinks = endpoint(calls.revokePublicLinks, async (ctx) => {
  const count = await changeTree(ctx, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('public_links')
      .set({ enabled_at: null })
      .where('owner_id', '=', ctx.user.id)
      .where('enabled_at', 'is not', null)
      .executeTakeFirstOrThrow()
    await tx
      .updateTable('items')
      .set({ shared_at: null })
      .where('owner_id', '=', ctx.user.id)
      .where('shared_at', 'is not', null)
      .execute()
    return Number(numUpdatedRows)
  })
  return { message: 'All public links are disabled.', count }
})
