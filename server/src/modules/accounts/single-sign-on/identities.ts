import { randomUUID } from 'node:crypto'
import type { Context } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import { sealText } from '../../../platform/crypto/secrets.ts'
import type { Database, Tx } from '../../../platform/db/database.ts'
import type { UserRow } from '../../../platform/db/tables.ts'
import { reportSecurityChange } from '../mails.ts'
import { applyClaims } from './apply-claims.ts'
import type { Person } from './claims.ts'
import { applyGroups, groupChangesKind } from './group-memberships.ts'

/** Returns the links of a user to people at providers, oldest first. */
export function listIdentityRows(db: Database, userId: string) {
  return db
    .selectFrom('oidc_identities')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** Returns the user whom a person at a provider is linked to. */
export function findLinkedUser(db: Database, { issuer, subject }: Person): Promise<UserRow | undefined> {
  return db
    .selectFrom('oidc_identities')
    .innerJoin('users', 'users.id', 'oidc_identities.user_id')
    .selectAll('users')
    .where('oidc_identities.issuer', '=', issuer)
    .where('oidc_identities.subject', '=', subject)
    .executeTakeFirst()
}

/** Records that a linked person signs in, and applies what the provider decides. Returns the link, or undefined if there is none. */
async function noteSignIn(ctx: Context, tx: Tx, userId: string, person: Person): Promise<string | undefined> {
  const used = await tx
    .updateTable('oidc_identities')
    .set({ last_used_at: ctx.clock.now(), email: person.email })
    .where('issuer', '=', person.issuer)
    .where('subject', '=', person.subject)
    .where('user_id', '=', userId)
    .returning('id')
    .executeTakeFirst()
  if (used) await applyAll(ctx, tx, { userId, identityId: used.id }, person)
  return used?.id
}

/** Brings the groups of a linked person up to date who may not sign in. */
export async function followGroups(ctx: Context, person: Person): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const linked = await tx
      .selectFrom('oidc_identities')
      .select(['id', 'user_id'])
      .where('issuer', '=', person.issuer)
      .where('subject', '=', person.subject)
      .executeTakeFirst()
    if (!linked) return
    const { id: identityId, user_id: userId } = linked
    await tx.updateTable('users').set({ id: userId }).where('id', '=', userId).execute()
    await applyGroups(ctx, tx, { userId, identityId }, person)
  })
  await ctx.jobs.runDueOf([groupChangesKind])
}

/** Links a person to a user. Returns the link, or undefined if the person is already linked to somebody. */
export async function linkPerson(ctx: Context, tx: Tx, userId: string, person: Person): Promise<string | undefined> {
  const now = ctx.clock.now()
  const { issuer, subject, email } = person
  const linked = await tx
    .insertInto('oidc_identities')
    .values({ id: randomUUID(), user_id: userId, issuer, subject, email, created_at: now, last_used_at: now })
    .onConflict((conflict) => conflict.columns(['issuer', 'subject']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (linked) await applyAll(ctx, tx, { userId, identityId: linked.id }, person)
  return linked?.id
}

async function applyAll(
  ctx: Context,
  tx: Tx,
  who: { userId: string; identityId: string },
  person: Person,
): Promise<void> {
  await applyClaims(ctx, tx, who.userId, person)
  await applyGroups(ctx, tx, who, person)
}

/**
 * Completes a sign-in that a ticket began, after the user has proven that the account is theirs: links the person unless they are
 * linked already. Only the account with the person's verified address is linked this way.
 */
export async function redeemTicket(
  ctx: Context,
  tx: Tx,
  user: UserRow,
  person: Person,
): Promise<{ id: string; isNew: boolean }> {
  const known = await noteSignIn(ctx, tx, user.id, person)
  if (known !== undefined) return { id: known, isNew: false }
  if (person.email !== user.email) {
    throw new AppError('sign_in_refused', 'This account has another email address than your account at the provider.')
  }
  const linked = await linkPerson(ctx, tx, user.id, person)
  if (linked === undefined) throw alreadyLinked()
  await reportSecurityChange(ctx, tx, user.id, { change: 'identity_linked' })
  return { id: linked, isNew: true }
}

export function alreadyLinked(): AppError {
  return new AppError('state_conflict', 'This identity is already linked to another account.')
}

/** Remembers through which provider a session began, for signing out there. */
export async function noteOidcSession(
  { secrets }: Context,
  tx: Tx,
  sessionId: string,
  identityId: string,
  { provider, sid, idToken }: Person,
): Promise<void> {
  await tx
    .insertInto('oidc_sessions')
    .values({
      session_id: sessionId,
      identity_id: identityId,
      provider,
      sid: sid ?? null,
      sealed_id_token: sealText(secrets.oidcKey, idToken, sessionId),
    })
    .execute()
}
