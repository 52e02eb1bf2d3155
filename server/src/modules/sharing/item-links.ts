import { calls } from '@alcove/contract/calls'
import { MAX_LINKS_PER_ITEM } from '@alcove/contract/limits'
import type { UserContext } from '../../context.ts'
import { AppError, notFound } from '../../errors.ts'
import { createLinkToken } from '../../platform/crypto/one-time-token.ts'
import type { Database, Tx } from '../../platform/db/database.ts'
import type { PublicLinkRow } from '../../platform/db/tables.ts'
import { endpoint } from '../../platform/http/api.ts'
import { orderedId } from '../../platform/ordered-id.ts'
import { changeTree, getOwnItem } from '../items/index.ts'
import { assertRightFits, changeLinkRow, readLinkChanges } from './change-link.ts'
import { ensureFirstLink, noteShared, presentLink } from './link-rows.ts'

export const listItemLinks = endpoint(calls.listItemLinks, async (ctx, { id }) => {
  const item = await getOwnItem(ctx.db, ctx.user, id)
  const known = await findLinks(ctx.db, item.id)
  if (known.some((link) => link.is_first === 1)) return { links: known.map((link) => presentLink(ctx, link)) }
  return changeTree(ctx, async (tx) => {
    await ensureFirstLink(tx, await getOwnItem(tx, ctx.user, id), ctx.clock.now())
    return { links: (await findLinks(tx, id)).map((link) => presentLink(ctx, link)) }
  })
})

/** Returns the links of an item, the first one first and then the oldest first. */
function findLinks(db: Database, itemId: string): Promise<PublicLinkRow[]> {
  return db
    .selectFrom('public_links')
    .selectAll()
    .where('item_id', '=', itemId)
    .orderBy('is_first', 'desc')
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

export const createLink = endpoint(calls.createLink, async (ctx, { id, ...settings }) => {
  assertRightFits(await getOwnItem(ctx.db, ctx.user, id), settings.right ?? 'view')
  const changes = await readLinkChanges(ctx, { ...settings, enabled: settings.enabled ?? true })
  return changeTree(ctx, async (tx) => {
    const item = await getOwnItem(tx, ctx.user, id)
    // The first link comes first, whenever it is asked for.
    await ensureFirstLink(tx, item, ctx.clock.now())
    await assertFewLinks(tx, item.id)
    const link = await tx
      .insertInto('public_links')
      .values({
        ...{ permission: 'view', enabled_at: null, ...changes },
        ...{ id: orderedId(), owner_id: ctx.user.id, item_id: item.id, is_first: 0 },
        ...{ token: createLinkToken(), created_at: ctx.clock.now() },
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await noteShared(tx, item.id)
    return presentLink(ctx, link)
  })
})

async function assertFewLinks(tx: Tx, itemId: string): Promise<void> {
  const { count } = await tx
    .selectFrom('public_links')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('item_id', '=', itemId)
    .executeTakeFirstOrThrow()
  if (Number(count) < MAX_LINKS_PER_ITEM) return
  throw new AppError(
    'state_conflict',
    `An item can have at most ${MAX_LINKS_PER_ITEM} links. Delete one of them first.`,
  )
}

export const updateLink = endpoint(calls.updateLink, async (ctx, { linkId, ...settings }) => {
  await getOwnLink(ctx, ctx.db, linkId)
  const changes = await readLinkChanges(ctx, settings)
  return changeTree(ctx, async (tx) => {
    const link = await getOwnLink(ctx, tx, linkId)
    if (settings.right !== undefined) {
      assertRightFits(await getOwnItem(tx, ctx.user, link.item_id), settings.right)
      if (link.is_first === 1 && settings.right !== 'view') throw onlyViewable()
    }
    return presentLink(ctx, await changeLinkRow(ctx, tx, link, changes))
  })
})

function onlyViewable(): AppError {
  return new AppError(
    'state_conflict',
    'The first link of an item always lets visitors view and download. Create another one.',
  )
}

export const deleteLink = endpoint(calls.deleteLink, async (ctx, { linkId }) => {
  await changeTree(ctx, async (tx) => {
    const link = await getOwnLink(ctx, tx, linkId)
    if (link.is_first === 1) {
      throw new AppError('state_conflict', 'The first link of an item can only be disabled, because it never changes.')
    }
    await tx.deleteFrom('public_links').where('id', '=', link.id).execute()
    await noteShared(tx, link.item_id)
  })
  return { message: 'The link was deleted.' }
})

/** Returns a link of an item that isn't in the trash, or throws 'not found'. */
async function getOwnLink({ user }: UserContext, db: Database, id: string): Promise<PublicLinkRow> {
  const link = await db
    .selectFrom('public_links')
    .innerJoin('items', 'items.id', 'public_links.item_id')
    .selectAll('public_links')
    .where('public_links.id', '=', id)
    .where('public_links.owner_id', '=', user.id)
    .where('items.trash_id', 'is', null)
    .executeTakeFirst()
  if (!link) throw notFound('link')
  return link
}
