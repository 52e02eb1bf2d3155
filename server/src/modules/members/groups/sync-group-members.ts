import { MAX_MEMBERS } from '@alcove/contract/limits'
import { type Role, rolesFrom, suffices } from '@alcove/contract/roles'
import { type SqlBool, sql } from 'kysely'
import { AppError } from '../../../errors.ts'
import type { Database, Tx } from '../../../platform/db/database.ts'
import { isAmong, textTable } from '../../../platform/db/portable-sql.ts'
import { queueMountRemoval } from '../../items/index.ts'
import { discardUploadsOfMembers } from '../../uploads/index.ts'
import { addInvitations, type Inviting, type NewInvitation } from '../add-invitations.ts'
import type { Addition } from './additions.ts'
import { isInProviderGroup } from './provider-groups.ts'

/**
 * Brings the members of folders up to date with the groups with which these are shared, in a few statements. The trees of the folders'
 * owners must be locked. If a folder has as many members as it can, `onFull` is called for each person who isn't invited; without it,
 * that is an error.
 */
export async function syncGroupMembers(
  ctx: Inviting,
  tx: Tx,
  folderIds: readonly string[],
  additions: readonly Addition[],
  onFull?: (folderId: string) => void,
): Promise<void> {
  await applyMemberChanges(ctx, tx, folderIds, await planGroupMembers(tx, folderIds, additions, onFull))
}

/** Returns how many of these people aren't members or invited yet. */
export async function countNew(db: Database, additions: readonly Addition[]): Promise<number> {
  const folderIds = [...new Set(additions.map(({ folderId }) => folderId))]
  const members = await readMembers(db, folderIds)
  const present = new Set(members.map(({ folder_id, email }) => keyOf(folder_id, email)))
  return additions.filter(({ folderId, email }) => !present.has(keyOf(folderId, email))).length
}

/** What must change so that the members of some folders are what their groups say. */
interface MemberChanges {
  gone: string[]
  changed: { id: string; role: Role; groupId: string }[]
  added: NewInvitation[]
}

/**
 * Compares the members of folders who came by groups with these groups. Of several groups, the higher role counts. Someone whose role
 * was given to them alone keeps it. Only `additions` are invited: others may have left. Five statements.
 */
async function planGroupMembers(
  db: Database,
  folderIds: readonly string[],
  additions: readonly Addition[],
  onFull?: (folderId: string) => void,
): Promise<MemberChanges> {
  const wanted = await readWanted(db, folderIds)
  const members = await readMembers(db, folderIds)
  const owners = await readOwners(db, folderIds)
  const changes: MemberChanges = { gone: [], changed: [], added: [] }
  const counts = new Map<string, number>()
  const present = new Set<string>()
  const add = (folderId: string, count: number) => counts.set(folderId, (counts.get(folderId) ?? 0) + count)
  for (const { id, folder_id, email, user_email, role, group_id, ...row } of members) {
    const accountId = row.user_id ?? row.account_id
    const best = higherOf(wanted.get(keyOf(folder_id, email)), accountId && wanted.get(keyOf(folder_id, accountId)))
    if (group_id !== null && !best) {
      changes.gone.push(id)
      continue
    }
    add(folder_id, 1)
    present.add(keyOf(folder_id, email)).add(keyOf(folder_id, user_email ?? email))
    if (accountId !== null) present.add(keyOf(folder_id, accountId))
    if (group_id === null || !best || (best.role === role && best.groupId === group_id)) continue
    changes.changed.push({ id, ...best })
  }
  for (const { folderId, email, accountId = null } of additions) {
    const best = wanted.get(keyOf(folderId, accountId ?? email))
    const owner = owners.get(folderId)
    if (!best || !owner || owner.email === email || owner.id === accountId) continue
    if (present.has(keyOf(folderId, email)) || present.has(keyOf(folderId, accountId ?? email))) continue
    if ((counts.get(folderId) ?? 0) >= MAX_MEMBERS) {
      if (!onFull) throw tooMany(owner.folder)
      onFull(folderId)
      continue
    }
    present.add(keyOf(folderId, email)).add(keyOf(folderId, accountId ?? email))
    add(folderId, 1)
    changes.added.push({ folderId, ownerId: owner.id, email, accountId, ...best })
  }
  return changes
}

/** Somebody in a folder: an address, or the id of an account, which no address equals. */
const keyOf = (folderId: string, who: string) => `${folderId} ${who}`

function higherOf(one: Wanted | undefined, other: Wanted | undefined | null | ''): Wanted | undefined {
  if (!one || !other) return one ?? (other || undefined)
  return suffices(one.role, other.role) ? one : other
}

function tooMany(folder: string): AppError {
  return new AppError(
    'state_conflict',
    `The folder “${folder}” can be shared with at most ${MAX_MEMBERS} people. Remove some of them first.`,
  )
}

interface Wanted {
  role: Role
  groupId: string
}

/** Returns the highest role that groups give each person in each folder: by address, and by account for groups of providers. */
async function readWanted(db: Database, folderIds: readonly string[]): Promise<Map<string, Wanted>> {
  const groups = db
    .selectFrom('folder_groups')
    .select(['folder_id', 'folder_groups.group_id', 'role'])
    .where(isAmong(db, 'folder_id', folderIds))
    .orderBy('folder_groups.created_at')
    .orderBy('folder_groups.group_id')
  const addresses = await groups
    .innerJoin('group_people', 'group_people.group_id', 'folder_groups.group_id')
    .select('email as who')
    .execute()
  const accounts = await groups
    .innerJoin('group_identities', 'group_identities.group_id', 'folder_groups.group_id')
    .innerJoin('oidc_identities', 'oidc_identities.id', 'group_identities.identity_id')
    .select('oidc_identities.user_id as who')
    .execute()
  const wanted = new Map<string, Wanted>()
  for (const { folder_id, group_id, role, who } of [...addresses, ...accounts]) {
    const key = keyOf(folder_id, who)
    const best = wanted.get(key)
    if (!best || !suffices(best.role, role)) wanted.set(key, { role, groupId: group_id })
  }
  return wanted
}

function readMembers(db: Database, folderIds: readonly string[]) {
  return db
    .selectFrom('members')
    .leftJoin('users', 'users.id', 'members.user_id')
    .select(['members.id', 'folder_id', 'members.email', 'users.email as user_email', 'role', 'group_id'])
    .select(['members.user_id', 'account_id'])
    .where(isAmong(db, 'folder_id', folderIds))
    .execute()
}

async function readOwners(db: Database, folderIds: readonly string[]) {
  const rows = await db
    .selectFrom('items')
    .innerJoin('users', 'users.id', 'items.owner_id')
    .select(['items.id as folder_id', 'items.name as folder', 'users.id', 'users.email'])
    .where(isAmong(db, 'items.id', folderIds))
    .where('users.deleted_at', 'is', null)
    .execute()
  return new Map(rows.map((row) => [row.folder_id, row]))
}

async function applyMemberChanges(
  ctx: Inviting,
  tx: Tx,
  folderIds: readonly string[],
  { gone, changed, added }: MemberChanges,
): Promise<void> {
  if (gone.length > 0) {
    await lockMembers(tx, gone)
    await discardUploadsOfMembers(ctx, tx, gone)
    await queueMountRemoval(ctx, tx, isAmong(tx, 'members.id', gone))
    await tx
      .deleteFrom('members')
      .where(isAmong(tx, 'id', gone))
      .execute()
  }
  if (changed.length > 0) {
    const given = changed.map(({ id, role, groupId }) => ({ id, role, group_id: groupId }))
    await sql`update members set role = given.role, group_id = given.group_id
      from ${textTable(tx, ['id', 'role', 'group_id'], given)} as given where members.id = given.id`.execute(tx)
    const lowered = changed.filter(({ role }) => !suffices(role, 'contributor')).map(({ id }) => id)
    if (lowered.length > 0) await discardUploadsOfMembers(ctx, tx, lowered)
  }
  if (added.length > 0) await addInvitations(ctx, tx, added)
  if (gone.length + changed.length > 0) await detachGroups(tx, folderIds)
}

/** Locks memberships, so that no upload is added to them meanwhile. */
async function lockMembers(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx
    .updateTable('members')
    .set((eb) => ({ role: eb.ref('role') }))
    .where(isAmong(tx, 'id', ids))
    .execute()
}

/**
 * Ends the sharing with groups of users who may no longer invite people to these folders. Those who came by such a group stay, as people
 * to whom the role was given alone. Sharing with groups of providers is for the owner of the folder, and stays.
 */
export async function detachGroups(tx: Tx, folderIds: readonly string[]): Promise<void> {
  const { numDeletedRows } = await tx
    .deleteFrom('folder_groups')
    .where(isAmong(tx, 'folder_id', folderIds))
    .where(
      sql<SqlBool>`not exists (
        select 1 from people_groups
        join items on items.id = folder_groups.folder_id
        left join members on members.folder_id = items.id and members.user_id = people_groups.owner_id
        where people_groups.id = folder_groups.group_id
          and (people_groups.owner_id is null or items.owner_id = people_groups.owner_id or members.role in (${sql.join(rolesFrom('manager'))})))`,
    )
    .executeTakeFirstOrThrow()
  if (numDeletedRows > 0n) await keepAlone(tx, folderIds)
}

/** Ends the sharing with groups of providers in which the new owner of the folders isn't. Their people stay, as above. */
export async function detachProviderGroups(tx: Tx, folderIds: readonly string[], ownerId: string): Promise<void> {
  const { numDeletedRows } = await tx
    .deleteFrom('folder_groups')
    .where(isAmong(tx, 'folder_id', folderIds))
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('people_groups')
          .select('id')
          .whereRef('id', '=', 'folder_groups.group_id')
          .where('owner_id', 'is', null)
          .where((group) => group.not(isInProviderGroup(ownerId))),
      ),
    )
    .executeTakeFirstOrThrow()
  if (numDeletedRows > 0n) await keepAlone(tx, folderIds)
}

/** Makes members whose group the folder isn't shared with any more people to whom the role was given alone. */
async function keepAlone(tx: Tx, folderIds: readonly string[]): Promise<void> {
  await tx
    .updateTable('members')
    .set({ group_id: null })
    .where(isAmong(tx, 'folder_id', folderIds))
    .where('group_id', 'is not', null)
    .where(
      sql<SqlBool>`not exists (select 1 from folder_groups
        where folder_groups.folder_id = members.folder_id and folder_groups.group_id = members.group_id)`,
    )
    .execute()
}
