import type { Folder, Item } from '@alcove/contract/items'
import type { UserContext } from '../../../context.ts'
import { isAmong } from '../../../platform/db/portable-sql.ts'
import type { ItemRow } from '../../../platform/db/tables.ts'
import { countItemsIn } from './item-counts.ts'
import { presentFolder } from './present-item.ts'

export type Reading = Pick<UserContext, 'db' | 'user'>

/**
 * Adds to each mount of a list what it stands for, and the number of items in the shared folder if the list has numbers. One
 * statement or two, or none if the user has no mounts.
 */
export async function withMounts<I extends Item>(ctx: Reading, items: I[]): Promise<I[]> {
  const folders = items.filter((item): item is I & Folder => item.type === 'folder')
  if (!ctx.user.hasMounts || folders.length === 0) return items
  const mounts = await findMounts(
    ctx,
    folders.map(({ id }) => id),
  )
  if (mounts.size === 0) return items
  const counted = folders.filter(({ itemCount }) => itemCount !== undefined).flatMap(({ id }) => mounts.get(id) ?? [])
  const counts = await countItemsIn(
    ctx.db,
    counted.map(({ folderId }) => folderId),
    true,
  )
  return items.map((item) => {
    const mount = mounts.get(item.id)
    if (!mount) return item
    const itemCount = counts.get(mount.folderId)
    return { ...item, mount, ...(itemCount !== undefined && { itemCount }) }
  })
}

/** Returns a folder or mount as the API presents it. */
export async function presentOwnFolder(ctx: Reading, row: ItemRow): Promise<Folder> {
  const folder = presentFolder(row, ctx.user)
  return row.mount_of === null ? folder : { ...folder, ...(await describeMount(ctx, row.id)) }
}

async function describeMount(ctx: Reading, id: string): Promise<Pick<Folder, 'mount'>> {
  const mount = (await findMounts(ctx, [id])).get(id)
  return mount ? { mount } : {}
}

/** Finds which of these items are mounts of the user, and what they stand for. One statement. */
export async function findMounts(
  { db, user }: Reading,
  ids: readonly string[],
): Promise<Map<string, NonNullable<Folder['mount']>>> {
  const rows = await db
    .selectFrom('members')
    .innerJoin('items', 'items.mount_of', 'members.id')
    .innerJoin('users', 'users.id', 'members.owner_id')
    .select(['items.id', 'members.id as member_id', 'members.folder_id', 'members.role'])
    .select(['users.email', 'users.display_name'])
    .where('members.user_id', '=', user.id)
    .where(isAmong(db, 'items.id', ids))
    .execute()
  return new Map(
    rows.map(({ id, member_id, folder_id, role, email, display_name }) => [
      id,
      { memberId: member_id, folderId: folder_id, role, owner: { email, displayName: display_name } },
    ]),
  )
}
