import { calls } from '@alcove/contract/calls'
import type { Group } from '@alcove/contract/groups'
import { MAX_GROUPS } from '@alcove/contract/limits'
import type { UserContext } from '../../../context.ts'
import { AppError, notFound } from '../../../errors.ts'
import type { Database, Tx } from '../../../platform/db/database.ts'
import { isUniqueViolation } from '../../../platform/db/database-errors.ts'
import { isAmong } from '../../../platform/db/portable-sql.ts'
import { endpoint } from '../../../platform/http/api.ts'
import { orderedId } from '../../../platform/ordered-id.ts'
import { changeTree } from '../../items/index.ts'
import { sendInvitationMails } from '../invitation-mail.ts'
import { admitInvitations, changeGroup, listFoldersOf } from './change-group.ts'
import { assertNotOfProvider, readProviderGroups } from './provider-groups.ts'

const byName = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

export const listGroups = endpoint(calls.listGroups, async (ctx) => {
  const groups = [...(await readGroups(ctx.db, ctx.user.id)), ...(await readProviderGroups(ctx))]
  return groups.sort((a, b) => byName.compare(a.name, b.name))
})

/** Reads the user's own groups, or one of them, with two statements. */
async function readGroups(db: Database, userId: string, id?: string): Promise<Group[]> {
  const groups = await db
    .selectFrom('people_groups')
    .select(['id', 'name'])
    .select((eb) =>
      eb
        .selectFrom('folder_groups')
        .innerJoin('items', 'items.id', 'folder_groups.folder_id')
        .select((count) => count.fn.countAll<number>().as('count'))
        .whereRef('folder_groups.group_id', '=', 'people_groups.id')
        .where('items.trash_id', 'is', null)
        .as('folders'),
    )
    .where('owner_id', '=', userId)
    .$if(id !== undefined, (one) => one.where('id', '=', id as string))
    .limit(MAX_GROUPS)
    .execute()
  const people = await db
    .selectFrom('group_people')
    .select(['group_id', 'email'])
    .where(
      isAmong(
        db,
        'group_id',
        groups.map((group) => group.id),
      ),
    )
    .orderBy('email')
    .execute()
  const byGroup = Map.groupBy(people, ({ group_id }) => group_id)
  return groups.map(({ id, name, folders }) => {
    const emails = (byGroup.get(id) ?? []).map(({ email }) => email)
    return { id, name, provider: null, emails, peopleCount: emails.length, folderCount: Number(folders) }
  })
}

async function getGroup(ctx: UserContext, id: string): Promise<Group> {
  const [group] = await readGroups(ctx.db, ctx.user.id, id)
  if (!group) {
    await assertNotOfProvider(ctx, id)
    throw notFound('group')
  }
  return group
}

/** The user's own row is locked, so that nobody has more groups than allowed. */
export const createGroup = endpoint(calls.createGroup, async (ctx, { name, emails }) => {
  const id = orderedId()
  const row = { id, owner_id: ctx.user.id, name, created_at: ctx.clock.now() }
  await refusingTakenNames(name, () =>
    changeTree(ctx, async (tx) => {
      const { count } = await tx
        .selectFrom('people_groups')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('owner_id', '=', ctx.user.id)
        .executeTakeFirstOrThrow()
      if (Number(count) >= MAX_GROUPS) {
        throw new AppError('state_conflict', `You have ${MAX_GROUPS} groups, which is the maximum. Delete one first.`)
      }
      await tx.insertInto('people_groups').values(row).execute()
      await addPeople(tx, id, emails)
    }),
  )
  return getGroup(ctx, id)
})

export const updateGroup = endpoint(calls.updateGroup, async (ctx, { id, name, emails }) => {
  const before = await getGroup(ctx, id)
  if (emails) await admitPeople(ctx, before, emails)
  await refusingTakenNames(name ?? before.name, () =>
    changeGroup(ctx, { groupId: id }, async (tx, folderIds) => {
      if (name !== undefined) await tx.updateTable('people_groups').set({ name }).where('id', '=', id).execute()
      if (!emails) return []
      const known = new Set((await listPeople(tx, id)).map(({ email }) => email))
      const joining = emails.filter((email) => !known.has(email))
      const staying = new Set(emails)
      const leaving = [...known].filter((email) => !staying.has(email))
      await tx
        .deleteFrom('group_people')
        .where('group_id', '=', id)
        .where(isAmong(tx, 'email', leaving))
        .execute()
      await addPeople(tx, id, joining)
      return pairsOf(folderIds, joining)
    }),
  )
  await sendInvitationMails(ctx)
  return getGroup(ctx, id)
})

/** Counts the invitations of those who join a group toward the limit. An account without a confirmed address invites nobody. */
async function admitPeople(ctx: UserContext, before: Group, emails: readonly string[]): Promise<void> {
  const known = new Set(before.emails)
  const joining = emails.filter((email) => !known.has(email))
  const folderIds = await listFoldersOf(ctx.db, before.id)
  if (joining.length === 0 || folderIds.length === 0) return
  if (!ctx.user.isActivated) throw new AppError('forbidden', 'Confirm your email address before you invite people.')
  await admitInvitations(ctx, [], pairsOf(folderIds, joining))
}

const pairsOf = (folderIds: readonly string[], emails: readonly string[]) =>
  folderIds.flatMap((folderId) => emails.map((email) => ({ folderId, email })))

export const deleteGroup = endpoint(calls.deleteGroup, async (ctx, { id }) => {
  await assertNotOfProvider(ctx, id)
  await changeGroup(
    ctx,
    { groupId: id },
    async (tx) => {
      await tx.deleteFrom('folder_groups').where('group_id', '=', id).execute()
      return []
    },
    // Its people have lost what came by it. While it existed, their memberships named it.
    (tx) => tx.deleteFrom('people_groups').where('id', '=', id).execute(),
  )
  return { message: 'Group deleted.' }
})

function listPeople(db: Database, groupId: string) {
  return db.selectFrom('group_people').select('email').where('group_id', '=', groupId).execute()
}

async function addPeople(tx: Tx, groupId: string, emails: readonly string[]): Promise<void> {
  if (emails.length === 0) return
  await tx
    .insertInto('group_people')
    .values(emails.map((email) => ({ group_id: groupId, email })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

async function refusingTakenNames<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw new AppError('name_taken', `You have a group named “${name}” already.`)
  }
}
