import type { DriveScope } from '@alcove/contract/call'
import type { SessionUser, UserContext } from '../../../context.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { ItemRow } from '../../../platform/db/tables.ts'
import { actInMount, findMembership } from '../../../platform/http/members.ts'
import { isInReach } from '../../items/index.ts'
import { DavError } from '../dav-error.ts'
import { roleFor } from '../enter-mount.ts'

/** Returns the user's item with a number, in the drive or its trash. Throws 404. */
export async function getNumbered(db: Database, user: SessionUser, text: string | undefined): Promise<ItemRow> {
  const item = await findNumbered(db, text)
    ?.where('items.owner_id', '=', user.id)
    .where(isInReach(user))
    .executeTakeFirst()
  if (!item) throw noFile()
  return item
}

/**
 * Like `getNumbered`, but also finds what is visible in a shared folder that the user has placed within reach. Returns the context in
 * which the item is used. Throws 403 if the role doesn't suffice.
 */
export async function openNumbered<Context extends Pick<UserContext, 'db' | 'user'>>(
  ctx: Context,
  text: string | undefined,
  scope: DriveScope,
): Promise<{ ctx: Context; item: ItemRow }> {
  const { db, user } = ctx
  const item = await findNumbered(db, text)?.executeTakeFirst()
  if (!item) throw noFile()
  if (item.owner_id === user.id || !user.hasMounts) return { ctx, item: await getNumbered(db, user, text) }
  const membership = await findMembership(db, user.id, [item.id])
  const mount = await db
    .selectFrom('items')
    .select('mount_of')
    .where('mount_of', '=', membership?.id ?? '')
    .where('owner_id', '=', user.id)
    .where('trash_id', 'is', null)
    .where(isInReach(user))
    .executeTakeFirst()
  const owner = mount?.mount_of && (await actInMount(db, user, roleFor[scope], mount.mount_of))
  if (!owner) throw noFile()
  const forOwner = { ...ctx, user: owner }
  return { ctx: forOwner, item: await getNumbered(db, owner, text) }
}

/** Selects the item of the drive with a number. Undefined if the text isn't a number. */
function findNumbered(db: Database, text: string | undefined) {
  if (!/^\d{1,15}$/.test(text ?? '')) return undefined
  return db
    .selectFrom('file_numbers')
    .innerJoin('items', 'items.id', 'file_numbers.item_id')
    .selectAll('items')
    .where('file_numbers.number', '=', Number(text))
    .where('items.area', '=', 'drive')
}

function noFile(): DavError {
  return new DavError(404, 'There is no such file.')
}
