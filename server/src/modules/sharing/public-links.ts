import type { PublicLink } from '@alcove/contract/sharing'
import type { Config } from '../../config.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { ItemRow, PublicLinkRow } from '../../platform/db/tables.ts'
import { createLinkToken } from '../../platform/secrets/link-token.ts'

/** An item's link, made now where it has none yet. The owner's tree must be locked. */
export async function ensurePublicLink(tx: Tx, itemId: string): Promise<PublicLinkRow> {
  await tx
    .insertInto('public_links')
    .values({ item_id: itemId, token: createLinkToken(), download_count: 0 })
    .onConflict((conflict) => conflict.column('item_id').doNothing())
    .execute()
  return tx.selectFrom('public_links').selectAll().where('item_id', '=', itemId).executeTakeFirstOrThrow()
}

/** A link as its owner sees it. */
export function presentPublicLink(
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
