import type { ParsedInputOf, ResponseOf } from '@alcove/contract/call'
import { calls } from '@alcove/contract/calls'
import type { PublicLink } from '@alcove/contract/sharing'
import type { Config } from '../../config.ts'
import type { UserContext } from '../../context.ts'
import { AppError } from '../../errors.ts'
import { createLinkToken } from '../../platform/crypto/one-time-token.ts'
import { hashPassword } from '../../platform/crypto/passwords.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { ItemRow, PublicLinkRow } from '../../platform/db/tables.ts'
import { endpoint } from '../../platform/http/api.ts'
import { changeTree, getOwnItem, presentFile, presentFolder, readFolderPaths } from '../items/index.ts'

export const getPublicLink = endpoint(calls.getPublicLink, async (ctx, { id }) => {
  const item = await getOwnItem(ctx.db, ctx.user, id)
  const known = await ctx.db.selectFrom('public_links').selectAll().where('item_id', '=', item.id).executeTakeFirst()
  if (known) return presentPublicLink(ctx.config, known, item)
  return changeTree(ctx, async (tx) => {
    const own = await getOwnItem(tx, ctx.user, id)
    return presentPublicLink(ctx.config, await ensurePublicLink(tx, own.id), own)
  })
})

/** Limits new passwords, because hashing takes memory and time. */
const NEW_PASSWORDS = { points: 300, seconds: 15 * 60 }

export const updatePublicLink = endpoint(calls.updatePublicLink, changePublicLink)

export const revokePublicLink = endpoint(calls.revokePublicLink, (ctx, { id }) =>
  changePublicLink(ctx, { id, enabled: false }),
)

/** Enables or disables the link of an item, which is created first if there is none, and sets what is given. */
export async function changePublicLink(
  ctx: UserContext,
  { id, enabled, password, expiresAt }: ParsedInputOf<typeof calls.updatePublicLink>,
): Promise<ResponseOf<typeof calls.updatePublicLink>> {
  const now = ctx.clock.now()
  const expiry = expiresAt && Date.parse(expiresAt)
  if (expiry && expiry <= now) throw new AppError('malformed', 'The expiry date must be in the future.')
  await getOwnItem(ctx.db, ctx.user, id)
  if (password) await ctx.rateLimits.consume('new link passwords', NEW_PASSWORDS, ctx.user.id)
  // Hashes before the transaction, because it takes time.
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

export const listPublicLinks = endpoint(calls.listPublicLinks, async ({ db, user, config }, { limit, cursor }) => {
  const shared = db
    .selectFrom('items')
    .where('items.owner_id', '=', user.id)
    .where('items.shared_at', 'is not', null)
    .where('items.trash_id', 'is', null)
  const after = cursor === undefined ? undefined : readCursor(cursor)
  let page = shared
    .innerJoin('public_links', 'public_links.item_id', 'items.id')
    .selectAll('items')
    .select(['token', 'password_hash', 'expires_at', 'download_count'])
    .orderBy('items.shared_at', 'desc')
    .orderBy('items.id', 'desc')
    .limit(limit + 1)
  if (after) {
    page = page.where((eb) =>
      eb(eb.refTuple('items.shared_at', 'items.id'), '<', eb.tuple(eb.val(after.sharedAt), eb.val(after.id))),
    )
  }
  const [rows, { total }] = await Promise.all([
    page.execute(),
    shared.select((eb) => eb.fn.countAll().as('total')).executeTakeFirstOrThrow(),
  ])
  const shown = rows.slice(0, limit)
  const paths = await readFolderPaths(db, [...new Set(shown.map((row) => row.parent_id as string))])
  const last = rows.length > limit ? shown.at(-1) : undefined
  return {
    links: shown.map((row) => ({
      ...presentPublicLink(config, row, row),
      item: row.kind === 'file' ? presentFile(row, user) : presentFolder(row, user),
      path: `${paths.get(row.parent_id as string) ?? ''}/${row.name}`,
      isEncrypted: row.area === 'vault',
      sharedAt: new Date(row.shared_at as number).toISOString(),
    })),
    nextCursor: last ? `${last.shared_at}.${last.id}` : null,
    total: Number(total),
  }
})

function readCursor(cursor: string): { sharedAt: number; id: string } {
  const [, sharedAt, id] = /^(\d{1,15})\.([0-9a-f-]{36})$/.exec(cursor) ?? []
  if (sharedAt === undefined || id === undefined)
    throw new AppError('malformed', 'Invalid cursor. Start again without one.')
  return { sharedAt: Number(sharedAt), id }
}

/** Disables all links, including those of trashed items, which would be shared again when restored. */
export const revokePublicLinks = endpoint(calls.revokePublicLinks, async (ctx) => {
  const { numUpdatedRows } = await changeTree(ctx, (tx) =>
    tx
      .updateTable('items')
      .set({ shared_at: null })
      .where('owner_id', '=', ctx.user.id)
      .where('shared_at', 'is not', null)
      .executeTakeFirstOrThrow(),
  )
  return { message: 'All public links are disabled.', count: Number(numUpdatedRows) }
})

/** Returns an item's link, and creates it if there is none. The owner's tree must be locked. */
async function ensurePublicLink(tx: Tx, itemId: string): Promise<PublicLinkRow> {
  await tx
    .insertInto('public_links')
    .values({ item_id: itemId, token: createLinkToken(), download_count: 0 })
    .onConflict((conflict) => conflict.column('item_id').doNothing())
    .execute()
  return tx.selectFrom('public_links').selectAll().where('item_id', '=', itemId).executeTakeFirstOrThrow()
}

/** Returns a link as its owner sees it. */
function presentPublicLink(
  config: Config,
  link: Omit<PublicLinkRow, 'item_id'>,
  item: Pick<ItemRow, 'shared_at'>,
): PublicLink {
  return {
    link: `${config.publicUrl}/s/${link.token}`,
    enabled: item.shared_at !== null,
    hasPassword: link.password_hash !== null,
    expiresAt: link.expires_at === null ? null : new Date(link.expires_at).toISOString(),
    downloadCount: link.download_count,
  }
}
