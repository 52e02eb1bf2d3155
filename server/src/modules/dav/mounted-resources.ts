import type { UserContext } from '../../context.ts'
import { isAmong } from '../../platform/db/portable-sql.ts'
import type { ItemRow } from '../../platform/db/tables.ts'
import { followFolders, isGuest, readTreeSizes } from '../items/index.ts'
import { encodeName } from './dav-path.ts'
import type { DavRequest } from './dav-request.ts'
import { type Account, type Needs, type Resource, readResources, scopeOf } from './resource.ts'

interface Listed {
  /** The address of the folder. */
  around: string
  rows: readonly Pick<ItemRow, 'name' | 'mount_of'>[]
  needs: Needs
}

/**
 * Reads the shared folders that a list contains, as PROPFIND of each shows it, except for locks. Those in the trash of their owner are
 * left out, and for members and visitors all: they see none of the owner's. A few statements for all of them.
 */
export async function readMounted(dav: DavRequest, { around, rows, needs }: Listed): Promise<Resource[]> {
  const { ctx } = dav
  if (isGuest(ctx.user)) return []
  const names = new Map(rows.flatMap(({ mount_of, name }) => (mount_of === null ? [] : [[mount_of, name] as const])))
  const folders = await listFolders(ctx, [...names.keys()])
  const selves = folders.map((folder) => {
    const name = names.get(folder.member_id) as string
    return { row: { ...folder, name }, href: `${around}${encodeName(name)}/`, isMount: true }
  })
  const resources = await readResources(ctx, selves, { ...needs, locks: false, sizes: false }, undefined)
  const since = new Map<string, number | null>()
  const described: Resource[] = []
  for (const [index, resource] of resources.entries()) {
    const folder = folders[index] as Folder
    described.push({
      ...resource,
      row: { ...resource.row, favorite_at: null, shared_at: null },
      account: needs.account ? await describeOwner(dav, folder, since) : undefined,
      totalSize: needs.sizes ? await sizeOf(ctx, folder) : undefined,
    })
  }
  return described
}

type Folder = Awaited<ReturnType<typeof listFolders>>[number]

function listFolders({ db, user }: UserContext, memberIds: readonly string[]) {
  return db
    .selectFrom('members')
    .innerJoin('items', 'items.id', 'members.folder_id')
    .innerJoin('users', 'users.id', 'members.owner_id')
    .selectAll('items')
    .select(['members.id as member_id', 'members.role', 'users.email', 'users.display_name', 'users.followed_since'])
    .where('members.user_id', '=', user.id)
    .where(isAmong(db, 'members.id', memberIds))
    .where('items.trash_id', 'is', null)
    .where('users.deleted_at', 'is', null)
    .where('users.suspended_at', 'is', null)
    .orderBy('items.sort_key')
    .execute()
}

/** Clients of Nextcloud follow the folders of the owner, too. `since` has what is known of owners. */
async function describeOwner(
  dav: DavRequest,
  { owner_id, email, display_name, followed_since, role }: Folder,
  since: Map<string, number | null>,
): Promise<Account> {
  const { db, events } = dav.ctx
  const mustFollow = dav.mount.isRemote === true && followed_since === null
  if (mustFollow && !since.has(owner_id)) {
    since.set(owner_id, await followFolders({ db, events, user: { id: owner_id } }))
  }
  return {
    ...{ email, displayName: display_name ?? email, quota: undefined },
    followedSince: followed_since ?? since.get(owner_id) ?? null,
    ...{ scope: scopeOf(dav), role, mountTags: new Map() },
  }
}

/** Folders that were never measured are measured one by one, because one may lie in another. */
async function sizeOf({ db }: UserContext, folder: Folder): Promise<number | undefined> {
  if (folder.tree_size !== null) return folder.tree_size
  return (await readTreeSizes({ db, user: { id: folder.owner_id } }, [folder])).get(folder.id)
}
