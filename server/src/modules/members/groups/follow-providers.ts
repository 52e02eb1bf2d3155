import type { Services } from '../../../context.ts'
import type { Database, Tx } from '../../../platform/db/database.ts'
import { isAmong } from '../../../platform/db/portable-sql.ts'
import { yieldingTransaction } from '../../../platform/db/yielding-transaction.ts'
import { defineJob } from '../../../platform/jobs/define-job.ts'
import { groupChangesKind, isForSharing, listProviders, providerChangesKind } from '../../accounts/index.ts'
import { followFolders, lockTree } from '../../items/index.ts'
import { listAccountAdditions } from './additions.ts'
import { syncGroupMembers } from './sync-group-members.ts'

const { isNeverGivenUp } = groupChangesKind

/**
 * Gives somebody the folders of the groups that a provider has named, and takes those of the others away. What is read here counts, not
 * what was queued, so the order of two jobs doesn't matter.
 */
export const groupChangesJob = defineJob(
  groupChangesKind.kind,
  groupChangesKind.schema,
  async (services, { userId, joined, left }) => {
    for (const { groupId, ownerId } of await listOwners(services.db, [...joined, ...left])) {
      await syncFolders(services, { groupId, ownerId }, joined.includes(groupId) ? userId : null)
    }
  },
  { isNeverGivenUp },
)

/** Ends groups after the providers have changed. */
export const providerChangesJob = defineJob(providerChangesKind.kind, providerChangesKind.schema, sweepProviderGroups, {
  isNeverGivenUp,
})

/** A group of a provider, and somebody who shares folders with it. Each pair has its own transaction, which locks one tree. */
interface Sharing {
  groupId: string
  ownerId: string
}

function listOwners(db: Database, groupIds: readonly string[]): Promise<Sharing[]> {
  return db
    .selectFrom('folder_groups')
    .innerJoin('items', 'items.id', 'folder_groups.folder_id')
    .innerJoin('users', 'users.id', 'items.owner_id')
    .select(['group_id as groupId', 'items.owner_id as ownerId'])
    .distinct()
    .where(isAmong(db, 'group_id', groupIds))
    .where('users.deleted_at', 'is', null)
    .orderBy('group_id')
    .orderBy('items.owner_id')
    .execute()
}

/** Brings the members of folders up to date. The order of locks is that of `changeGroup`. A full folder invites nobody else. */
async function syncFolders(services: Services, { groupId, ownerId }: Sharing, joining: string | null): Promise<void> {
  const ctx = { ...services, user: { id: ownerId } }
  // The members' tabs ask the folders whether anything in them has changed.
  if (joining !== null) await followFolders(ctx)
  await yieldingTransaction(services.db, async (tx) => {
    if (!(await lockProviderGroup(tx, groupId))) return
    const folderIds = await listFolders(tx, { groupId, ownerId })
    if (folderIds.length === 0) return
    await lockTree(tx, ownerId)
    const additions = joining === null ? [] : await listAccountAdditions(tx, folderIds, groupId, joining)
    await syncGroupMembers(ctx, tx, folderIds, additions, (folder) =>
      services.log.warn(
        { folder },
        'a shared folder has as many members as it can: somebody who joined a group is not',
      ),
    )
  })
}

async function listFolders(tx: Tx, { groupId, ownerId }: Sharing): Promise<string[]> {
  const rows = await tx
    .selectFrom('folder_groups')
    .innerJoin('items', 'items.id', 'folder_groups.folder_id')
    .select('items.id')
    .where('group_id', '=', groupId)
    .where('items.owner_id', '=', ownerId)
    .execute()
  return rows.map(({ id }) => id)
}

async function lockProviderGroup(tx: Tx, groupId: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('people_groups')
    .set((eb) => ({ name: eb.ref('name') }))
    .where('id', '=', groupId)
    .where('owner_id', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/**
 * Ends who is in groups whose provider was removed, or doesn't share them any more, and with that their memberships in folders. The
 * folders stay shared with the group, for the case that it comes back. Deletes groups that nobody is in and with which nothing is shared.
 */
export async function sweepProviderGroups(services: Services): Promise<void> {
  const providers = await listProviders(services)
  const groups = await services.db
    .selectFrom('people_groups')
    .select(['id', 'name', 'provider', 'issuer'])
    .where('owner_id', 'is', null)
    .execute()
  const isKept = ({ name, provider, issuer }: (typeof groups)[number]) =>
    providers.some((one) => one.name === provider && one.issuer === issuer && isForSharing(one, name))
  for (const group of groups.filter((one) => !isKept(one))) await endGroup(services, group.id)
  const unused = await selectUnused(services.db).execute()
  for (const { id } of unused) await services.db.transaction().execute((tx) => deleteIfUnused(tx, id))
}

async function endGroup({ db, jobs }: Services, groupId: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom('group_identities')
      .where('group_id', '=', groupId)
      .executeTakeFirstOrThrow()
    if (numDeletedRows > 0n) await jobs.enqueue(tx, groupChangesKind, { userId: null, joined: [], left: [groupId] })
  })
}

function selectUnused(db: Database) {
  return db
    .selectFrom('people_groups')
    .select('id')
    .where('owner_id', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('group_identities').select('group_id').whereRef('group_id', '=', 'people_groups.id'))),
    )
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('folder_groups').select('group_id').whereRef('group_id', '=', 'people_groups.id'))),
    )
}

/** Locks the group before it looks again: a sign-in that puts somebody in has locked it too. */
async function deleteIfUnused(tx: Tx, groupId: string): Promise<void> {
  if (!(await lockProviderGroup(tx, groupId))) return
  await tx
    .deleteFrom('people_groups')
    .where('id', 'in', selectUnused(tx).where('id', '=', groupId))
    .execute()
}
