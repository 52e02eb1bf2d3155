import type { UserContext } from '../../context.ts'
import type { ItemRow, PublicLinkRow } from '../../platform/db/tables.ts'
import { isWorking } from '../../platform/db/working-links.ts'
import { isInReach } from '../items/index.ts'

/** An item with its first link, which works. */
export type LinkedItem = ItemRow & Pick<PublicLinkRow, 'token' | 'enabled_at' | 'password_hash' | 'expires_at'>

/** Which items are listed: one, those directly in a folder, or all. */
export interface Linked {
  readonly itemId?: string
  readonly folderId?: string
}

/** Lists items of the drive whose first links work, within reach of the app password, those shared last first. */
export function listLinked(
  { db, clock, user }: UserContext,
  { itemId, folderId }: Linked,
  limit: number,
): Promise<LinkedItem[]> {
  return db
    .selectFrom('items')
    .innerJoin('public_links', 'public_links.item_id', 'items.id')
    .selectAll('items')
    .select(['token', 'enabled_at', 'password_hash', 'expires_at'])
    .where('items.owner_id', '=', user.id)
    .where('items.area', '=', 'drive')
    .where('items.trash_id', 'is', null)
    .where('public_links.is_first', '=', 1)
    .where(isInReach(user))
    .where(isWorking(clock.now()))
    .$if(itemId !== undefined, (query) => query.where('items.id', '=', itemId as string))
    .$if(folderId !== undefined, (query) => query.where('items.parent_id', '=', folderId as string))
    .orderBy('public_links.enabled_at', 'desc')
    .orderBy('items.id', 'desc')
    .limit(limit)
    .execute()
}
