import { z } from 'zod'
import type { Context, Services } from '../../../context.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { isAmong } from '../../../platform/db/portable-sql.ts'
import type { JobKind } from '../../../platform/jobs/job-queue.ts'
import { orderedId } from '../../../platform/ordered-id.ts'
import type { Person } from './claims.ts'

const groupChanges = z.object({ userId: z.string().nullable(), joined: z.array(z.string()), left: z.array(z.string()) })

/** Follows a change of who is in groups of providers: shared folders get and lose members. The module `members` does it. */
export const groupChangesKind: JobKind<z.infer<typeof groupChanges>> = {
  kind: 'group changes',
  schema: groupChanges,
  // Somebody who has left a group must not keep its folders.
  isNeverGivenUp: true,
}
/** Follows a change of the providers: groups that these don't have any more end. The module `members` does it. */
export const providerChangesKind: JobKind<Record<string, never>> = {
  kind: 'provider changes',
  schema: z.record(z.string(), z.never()),
  isNeverGivenUp: true,
}

/**
 * Puts a person into the groups that the provider has named, and takes the person out of its others. What the provider said earlier than
 * what was applied before is ignored, since sign-ins can take minutes and overtake each other. The user's row must be locked.
 */
export async function applyGroups(
  ctx: Context,
  tx: Tx,
  { userId, identityId }: { userId: string; identityId: string },
  { provider, issuer, groups }: Person,
): Promise<void> {
  if (!groups) return
  const { numUpdatedRows } = await tx
    .updateTable('oidc_identities')
    .set({ groups_as_of: groups.asOf })
    .where('id', '=', identityId)
    .where((eb) => eb.or([eb('groups_as_of', 'is', null), eb('groups_as_of', '<=', groups.asOf)]))
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return
  const present = await tx
    .selectFrom('group_identities')
    .innerJoin('people_groups', 'people_groups.id', 'group_identities.group_id')
    .select(['people_groups.id', 'name'])
    .where('identity_id', '=', identityId)
    .where('provider', '=', provider)
    .where('issuer', '=', issuer)
    .execute()
  const staying = new Set(groups.names)
  const known = new Set(present.map(({ name }) => name))
  const left = present.filter(({ name }) => !staying.has(name)).map(({ id }) => id)
  const joined = await findOrCreate(
    ctx,
    tx,
    { provider, issuer },
    groups.names.filter((name) => !known.has(name)),
  )
  if (left.length > 0) {
    await tx
      .deleteFrom('group_identities')
      .where('identity_id', '=', identityId)
      .where(isAmong(tx, 'group_id', left))
      .execute()
  }
  if (joined.length > 0) {
    await tx
      .insertInto('group_identities')
      .values(joined.map((groupId) => ({ group_id: groupId, identity_id: identityId })))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
  if (left.length + joined.length > 0) await ctx.jobs.enqueue(tx, groupChangesKind, { userId, joined, left })
}

/** Returns the ids of groups, which are locked: in the order of their names, so that two sign-ins can't deadlock. */
async function findOrCreate(
  { clock }: Context,
  tx: Tx,
  of: { provider: string; issuer: string },
  names: readonly string[],
): Promise<string[]> {
  if (names.length === 0) return []
  const rows = await tx
    .insertInto('people_groups')
    .values(names.map((name) => ({ id: orderedId(), owner_id: null, ...of, name, created_at: clock.now() })))
    .onConflict((conflict) =>
      conflict
        .columns(['issuer', 'provider', 'name'])
        .where('owner_id', 'is', null)
        .doUpdateSet((eb) => ({ name: eb.ref('excluded.name') })),
    )
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Takes a user out of the groups of providers, or of those to which one identity belongs. The user's row must be locked. */
export async function leaveGroups(
  { jobs }: Pick<Services, 'jobs'>,
  tx: Tx,
  userId: string,
  identityId?: string,
): Promise<void> {
  const rows = await tx
    .deleteFrom('group_identities')
    .where('identity_id', 'in', (eb) =>
      eb
        .selectFrom('oidc_identities')
        .select('id')
        .where('user_id', '=', userId)
        .$if(identityId !== undefined, (one) => one.where('id', '=', identityId as string)),
    )
    .returning('group_id')
    .execute()
  const left = [...new Set(rows.map(({ group_id }) => group_id))]
  if (left.length > 0) await jobs.enqueue(tx, groupChangesKind, { userId, joined: [], left })
}
