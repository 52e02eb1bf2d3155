import type { Group } from '@alcove/contract/groups'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Services, UserContext } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import { listProviders } from '../../accounts/index.ts'

/** Groups of sign-in providers: nobody's own, and filled at each sign-in through the provider (`modules/accounts/single-sign-on/`). */

/** Returns a condition: the row of `people_groups` is a group of a provider in which the user is. */
export function isInProviderGroup(userId: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`(people_groups.owner_id is null and exists (
    select 1 from group_identities join oidc_identities on oidc_identities.id = group_identities.identity_id
    where group_identities.group_id = people_groups.id and oidc_identities.user_id = ${userId}))`
}

/** Returns a condition: the row of `people_groups` is a group of a provider with which the user shares one of the own folders. */
export function hasFolderOf(userId: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`(people_groups.owner_id is null and exists (
    select 1 from folder_groups join items on items.id = folder_groups.folder_id
    where folder_groups.group_id = people_groups.id and items.owner_id = ${userId}))`
}

/** Returns a function that finds the label of a provider. One that was removed has none. Not for use in a transaction. */
export async function readLabels(services: Services): Promise<(provider: string | null) => string | null> {
  const labels = new Map((await listProviders(services)).map(({ name, label }) => [name, label]))
  return (provider) => (provider === null ? null : (labels.get(provider) ?? provider))
}

/** Lists the groups of providers that a user is in. They show no addresses: only who shares a folder with a group sees its people. */
export async function readProviderGroups(ctx: UserContext): Promise<Group[]> {
  const { db, user } = ctx
  const rows = await db
    .selectFrom('people_groups')
    .select(['id', 'name', 'provider'])
    .select((eb) => [
      eb
        .selectFrom('group_identities')
        .innerJoin('oidc_identities', 'oidc_identities.id', 'group_identities.identity_id')
        .select((count) => count.fn.count<number>('oidc_identities.user_id').distinct().as('count'))
        .whereRef('group_identities.group_id', '=', 'people_groups.id')
        .as('people'),
      eb
        .selectFrom('folder_groups')
        .innerJoin('items', 'items.id', 'folder_groups.folder_id')
        .select((count) => count.fn.countAll<number>().as('count'))
        .whereRef('folder_groups.group_id', '=', 'people_groups.id')
        .where('items.owner_id', '=', user.id)
        .where('items.trash_id', 'is', null)
        .as('folders'),
    ])
    .where(
      'id',
      'in',
      db
        .selectFrom('group_identities')
        .innerJoin('oidc_identities', 'oidc_identities.id', 'group_identities.identity_id')
        .select('group_id')
        .where('oidc_identities.user_id', '=', user.id),
    )
    .execute()
  if (rows.length === 0) return []
  const labelOf = await readLabels(ctx)
  return rows.map(({ id, name, provider, people, folders }) => ({
    ...{ id, name, provider: labelOf(provider), emails: [] },
    ...{ peopleCount: Number(people), folderCount: Number(folders) },
  }))
}

/** Throws if a group of a provider is to be changed by one of its people, who know that it exists. */
export async function assertNotOfProvider(ctx: UserContext, groupId: string): Promise<void> {
  const group = await ctx.db
    .selectFrom('people_groups')
    .select('provider')
    .where('id', '=', groupId)
    .where(isInProviderGroup(ctx.user.id))
    .executeTakeFirst()
  if (!group) return
  const labelOf = await readLabels(ctx)
  throw new AppError(
    'forbidden',
    `This group comes from ${labelOf(group.provider)}, so it can only be changed there. Changes count from each person’s next sign-in.`,
  )
}
