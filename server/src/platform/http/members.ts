import type { Scope } from '@alcove/contract/call'
import { type Role, roles, rolesFrom, suffices } from '@alcove/contract/roles'
import { type RawBuilder, sql } from 'kysely'
import type { MemberUse, SessionUser } from '../../context.ts'
import { AppError, notFound } from '../../errors.ts'
import type { Database, Tx } from '../db/database.ts'
import { isAmong } from '../db/portable-sql.ts'

/** What a role may do, as an app password of the shared folder. */
const scopeOf: Readonly<Record<Role, Scope>> = {
  viewer: 'read',
  contributor: 'upload',
  editor: 'write',
  manager: 'write',
}

/** A membership with the account of the folder's owner. */
interface Membership {
  id: string
  role: Role
  folder_id: string
  owner_id: string
  email: string
  plan_id: number
  plan_name: string
  activated_at: number | null
  /** How many of the items of the request are in the folder. */
  weight: number | string
}

/** Selects whether the user of a query has placed shared folders in the own drive. */
export const hasMounts = sql<number | boolean>`exists (
  select 1 from members join items on items.mount_of = members.id where members.user_id = users.id)`.as('has_mounts')

/** An upload says which membership it belongs to, whatever folders the request names. */
const WEIGHT_OF_UPLOAD = 1000

/**
 * Finds the membership of a user with which a request on these items and uploads is made: items of others that lie in a folder
 * that is shared with the user, outside the trash or trashed by the user. If folders inside each other are shared, the one with most of
 * the items counts, and then the higher role. One statement.
 */
export async function findMembership(
  db: Database,
  userId: string,
  ids: readonly string[],
): Promise<Membership | undefined> {
  if (ids.length === 0) return undefined
  const { rows } = await sql<Membership>`
    with recursive above (start, id, parent_id) as (
      select id, id, parent_id from items
      where ${isAmong(db, 'id', ids)} and owner_id <> ${userId}
        and (trash_id is null or trashed_by = ${userId})
      union all
      select above.start, parent.id, parent.parent_id from above join items parent on parent.id = above.parent_id
    ), found (member_id, weight) as (
      select members.id, 1 from above
      join members on members.folder_id = above.id and members.user_id = ${userId}
      union all
      select uploads.member_id, ${sql.lit(WEIGHT_OF_UPLOAD)} from uploads
      where ${isAmong(db, 'uploads.id', ids)} and uploads.member_id is not null
    )
    select members.id, members.role, members.folder_id, members.owner_id,
      users.email, users.plan_id, users.plan_name, users.activated_at, chosen.weight
    from (select member_id, sum(weight) as weight from found group by member_id) chosen
    join members on members.id = chosen.member_id
    join items folder on folder.id = members.folder_id
    join users on users.id = members.owner_id
    where members.user_id = ${userId} and folder.trash_id is null
      and users.deleted_at is null and users.suspended_at is null
    order by chosen.weight desc, ${rankOf('members.role')} desc, members.id
    limit 1`.execute(db)
  return rows[0]
}

/**
 * Returns the owner of a shared folder as the user of a request that a member makes there, limited to the folder and to the role.
 * Returns undefined if no shared folder has these items. Throws 403 if the role doesn't suffice.
 */
export async function actForOwner(
  db: Database,
  user: SessionUser,
  needs: Role,
  ids: readonly string[],
): Promise<SessionUser | undefined> {
  const found = await findMembership(db, user.id, ids)
  return found && asOwner(user, found, needs)
}

/** Who makes a request that takes items from one place to another: the user, or the owner of a shared folder. */
interface ActingBetween {
  user: SessionUser
  /** Undefined if both places are in the same shared folder. */
  target?: SessionUser
}

/**
 * Like `actForOwner`, for a request that takes items from one place to another, each of which may be in a shared folder. If one
 * membership covers both and suffices, the request is an ordinary one there. Returns undefined if neither place is shared.
 */
export async function actBetween(
  db: Database,
  user: SessionUser,
  needs: { items: Role; target: Role },
  ids: { items: readonly string[]; target: readonly string[] },
): Promise<ActingBetween | undefined> {
  const items = await findMembership(db, user.id, ids.items)
  const target = await findMembership(db, user.id, ids.target)
  if (items && target) {
    const all = [...ids.items, ...ids.target]
    const both = items.id === target.id ? items : await findMembership(db, user.id, all)
    const needed = suffices(needs.items, needs.target) ? needs.items : needs.target
    const isOne = items.id === target.id || Number(both?.weight) === all.length
    if (both && isOne && (suffices(both.role, needed) || items.id === target.id)) {
      return { user: asOwner(user, both, needed) }
    }
  }
  if (!items && !target) return undefined
  return {
    user: items ? asOwner(user, items, needs.items) : user,
    target: target ? asOwner(user, target, needs.target) : user,
  }
}

/** Like `actForOwner`, for a folder that the user reaches by a mount, of which the membership is known. */
export async function actInMount(
  db: Database,
  user: SessionUser,
  needs: Role,
  memberId: string,
): Promise<SessionUser | undefined> {
  const found = await db
    .selectFrom('members')
    .innerJoin('items as folder', 'folder.id', 'members.folder_id')
    .innerJoin('users', 'users.id', 'members.owner_id')
    .select(['members.id', 'members.role', 'members.folder_id', 'members.owner_id'])
    .select(['users.email', 'users.plan_id', 'users.plan_name', 'users.activated_at'])
    .where('members.id', '=', memberId)
    .where('members.user_id', '=', user.id)
    .where('folder.trash_id', 'is', null)
    .where('users.deleted_at', 'is', null)
    .where('users.suspended_at', 'is', null)
    .executeTakeFirst()
  return found && asOwner(user, found, needs)
}

/** An app password that may do less than the role limits the request, too. */
function asOwner(user: SessionUser, found: Omit<Membership, 'weight'>, needs: Role): SessionUser {
  if (!suffices(found.role, needs)) throw notAllowed(found.role)
  const { scope = 'write' } = user.appPassword ?? {}
  return {
    id: found.owner_id,
    sessionId: user.sessionId,
    appPassword: { id: found.id, scope: scope === 'write' ? scopeOf[found.role] : scope, folderId: found.folder_id },
    member: { id: found.id, userId: user.id, email: user.email, role: found.role, needs },
    confirmedAt: 0,
    email: found.email,
    planId: found.plan_id,
    planName: found.plan_name,
    isActivated: found.activated_at !== null,
    driveRootId: found.folder_id,
    vaultRootId: '',
  }
}

const abilities: Readonly<Record<Role, string>> = {
  viewer: 'You can only view this shared folder.',
  contributor: 'You can only view this shared folder and add to it.',
  editor: 'Only the owner and managers of this shared folder can do this.',
  manager: 'Only the owner of this shared folder can do this.',
}

export function notAllowed(role: Role): AppError {
  return new AppError('forbidden', abilities[role])
}

/** Throws if a member who can only add files would replace one. */
export function assertMayReplace({ role }: MemberUse): void {
  if (!suffices(role, 'editor')) throw notAllowed(role)
}

/** The fields of calls that say where a request acts. Of the items of a selection, the first says it. */
const PLACES = ['id', 'folderId', 'parentFolderId', 'fileId', 'uploadId']
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Returns the ids in the input of a call, or in the fields of a form, that say in which shared folder it acts. */
export function placesOf(input: Readonly<Record<string, unknown>>): string[] {
  const { itemIds, allIn, uploadIds, files } = input
  const ids = [
    ...PLACES.map((field) => input[field]),
    firstOf(itemIds),
    // Some of these may be forgotten, so the first says nothing.
    ...(Array.isArray(uploadIds) ? uploadIds : []),
    (allIn as { folderId?: unknown } | undefined)?.folderId,
  ]
  const own = ids.filter((id): id is string => typeof id === 'string' && UUID.test(id)).map((id) => id.toLowerCase())
  const first = firstOf(files)
  const ofFile = typeof first === 'object' && first !== null ? placesOf(first as Record<string, unknown>) : []
  return [...new Set([...own, ...ofFile])]
}

/** Returns the id of the folder into which a call brings items. */
export function targetOf({ targetFolderId }: Readonly<Record<string, unknown>>): string[] {
  return placesOf({ folderId: targetFolderId })
}

function firstOf(list: unknown): unknown {
  return Array.isArray(list) ? list[0] : undefined
}

/**
 * Returns whether a member may still do what a request does: the membership and its role are unchanged or suffice, and the folder is
 * not in the trash.
 */
export async function isStillMember(db: Database, { id, needs }: MemberUse): Promise<boolean> {
  const found = await findWorking(db, id).where('role', 'in', rolesFrom(needs)).executeTakeFirst()
  return found !== undefined
}

function findWorking(db: Database, memberId: string) {
  return db
    .selectFrom('members')
    .innerJoin('items as folder', 'folder.id', 'members.folder_id')
    .innerJoin('users', 'users.id', 'members.user_id')
    .innerJoin('users as owner', 'owner.id', 'members.owner_id')
    .select(['members.folder_id', 'users.id as user_id', 'users.grants_revoked_at'])
    .where('members.id', '=', memberId)
    .where('folder.trash_id', 'is', null)
    .where('users.deleted_at', 'is', null)
    .where('users.suspended_at', 'is', null)
    .where('owner.suspended_at', 'is', null)
}

/** Finds the folder and the user for whom an address was signed, and when the user revoked addresses, if the membership works. */
export function findHolder(db: Database, memberId: string) {
  return findWorking(db, memberId).executeTakeFirst()
}

/**
 * Locks a membership until the transaction ends, before an upload is added to it: so an upload is either refused, or found by who
 * lowers the role. Memberships are locked before uploads, and those before the owner's tree.
 */
export async function lockMembership(tx: Tx, { id, needs }: MemberUse): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('members')
    .set((eb) => ({ role: eb.ref('role') }))
    .where('id', '=', id)
    .where('role', 'in', rolesFrom(needs))
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw notFound('folder')
}

/** Returns an error without what it tells about the owner's account, as a member may see it. */
export function explainToMember(error: unknown): unknown {
  if (!(error instanceof AppError)) return error
  // From then on, the folder is hidden from its members.
  if (error.code === 'account_suspended') return notFound('folder')
  if (error.code !== 'quota_exceeded' && error.code !== 'item_limit') return error
  return new AppError('quota_exceeded', 'The storage of the owner of this folder is full. Ask the owner to free space.')
}

/** Returns an expression for the place of a role among all, from the one that may do the least. */
export function rankOf(column: string): RawBuilder<number> {
  const cases = roles.map((role, rank) => sql`when ${sql.lit(role)} then ${sql.lit(rank)}`)
  return sql<number>`case ${sql.ref(column)} ${sql.join(cases, sql` `)} end`
}
