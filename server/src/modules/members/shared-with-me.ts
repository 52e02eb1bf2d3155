import { calls } from '@alcove/contract/calls'
import { MAX_INVITATIONS_LISTED, MAX_SHARED_FOLDERS } from '@alcove/contract/limits'
import type { SharedFolder } from '@alcove/contract/members'
import type { UserContext } from '../../context.ts'
import type { Database } from '../../platform/db/database.ts'
import { formatTime } from '../../platform/format.ts'
import { endpoint } from '../../platform/http/api.ts'
import { countItemsIn, withoutRoot } from '../items/index.ts'

/** Lists what others share with the user. Folders in the trash and folders of deleted accounts are left out. */
export const listSharedWithMe = endpoint(calls.listSharedWithMe, async (ctx) => {
  const shared = selectShared(ctx.db)
    .where('members.user_id', '=', ctx.user.id)
    .orderBy('accepted_at', 'desc')
    .orderBy('members.id')
    .limit(MAX_SHARED_FOLDERS)
  const [folders, invitations] = await Promise.all([shared.execute(), listInvitations(ctx)])
  return { folders: await presentFolders(ctx, folders), invitations }
})

/** Returns a shared folder by the user's membership, if that is accepted and the folder is visible. */
export async function findSharedFolder(ctx: UserContext, memberId: string): Promise<SharedFolder | undefined> {
  const found = await selectShared(ctx.db)
    .where('members.id', '=', memberId)
    .where('members.user_id', '=', ctx.user.id)
    .execute()
  return (await presentFolders(ctx, found))[0]
}

/** An address that isn't confirmed may be a stranger's, so it sees no invitations. Those by groups of providers are to accounts. */
async function listInvitations({ db, user }: UserContext) {
  if (!user.isActivated) return []
  const rows = await selectShared(db)
    .where((eb) =>
      eb.or([
        eb('members.account_id', '=', user.id),
        eb('members.account_id', 'is', null).and('members.email', '=', user.email),
      ]),
    )
    .where('accepted_at', 'is', null)
    .where('members.owner_id', '<>', user.id)
    .orderBy('members.created_at', 'desc')
    .orderBy('members.id', 'desc')
    .limit(MAX_INVITATIONS_LISTED)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    folderName: row.name,
    role: row.role,
    owner: ownerOf(row),
    invitedAt: formatTime(row.created_at),
  }))
}

function selectShared(db: Database) {
  return db
    .selectFrom('members')
    .innerJoin('items', 'items.id', 'members.folder_id')
    .innerJoin('users', 'users.id', 'members.owner_id')
    .select(['members.id', 'members.folder_id', 'members.role', 'members.created_at', 'accepted_at', 'items.name'])
    .leftJoin('items as mount', (join) =>
      join.onRef('mount.mount_of', '=', 'members.id').on('mount.trash_id', 'is', null),
    )
    .select('members.offered_at')
    .select(['users.email', 'users.display_name'])
    .select(['mount.id as mount_id', 'mount.name as mount_name', 'mount.parent_id as mount_parent_id'])
    .where('items.trash_id', 'is', null)
    .where('users.deleted_at', 'is', null)
    .where('users.suspended_at', 'is', null)
}

type SharedRow = Awaited<ReturnType<ReturnType<typeof selectShared>['executeTakeFirstOrThrow']>>

async function presentFolders({ db, user }: UserContext, rows: readonly SharedRow[]): Promise<SharedFolder[]> {
  if (rows.length === 0) return []
  const counts = await countItemsIn(
    db,
    rows.map(({ folder_id }) => folder_id),
    true,
  )
  return rows.map((row) => ({
    id: row.folder_id,
    memberId: row.id,
    name: row.name,
    role: row.role,
    owner: ownerOf(row),
    itemCount: counts.get(row.folder_id) ?? 0,
    acceptedAt: formatTime(row.accepted_at as number),
    offeredAt: row.offered_at === null ? null : formatTime(row.offered_at),
    mount:
      row.mount_id === null
        ? null
        : {
            id: row.mount_id,
            name: row.mount_name as string,
            parentId: withoutRoot(row.mount_parent_id, user),
          },
  }))
}

function ownerOf({ email, display_name }: SharedRow) {
  return { email, displayName: display_name }
}
