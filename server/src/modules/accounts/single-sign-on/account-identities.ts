import { calls } from '@alcove/contract/calls'
import type { UserContext } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import { hasPassword } from '../../../platform/crypto/passwords.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { formatTime } from '../../../platform/format.ts'
import { endpoint } from '../../../platform/http/api.ts'
import { loggingRefusals, logSecurity, securityEvent } from '../../../platform/security-log.ts'
import { reportSecurityChange, sendQueuedMails } from '../mails.ts'
import { countCode, forgetWrongCodes } from '../sign-in/attempts.ts'
import { codeMissing, confirmSession } from '../sign-in/reauthenticate.ts'
import { isTwoFactorOn, readCode, useUpCode } from '../two-factor/two-factor.ts'
import { assertAllowed, readPerson } from './claims.ts'
import { finishFlow, startFlow } from './flows.ts'
import { groupChangesKind, leaveGroups } from './group-memberships.ts'
import { alreadyLinked, linkPerson, listIdentityRows } from './identities.ts'
import { arePasswordsOn, getProvider, listProviders, toAppError } from './providers.ts'

export const getSignInMethods = endpoint(calls.getSignInMethods, async (ctx) => {
  const { db, user } = ctx
  const providers = await listProviders(ctx)
  const configured = new Map(providers.map((provider) => [provider.issuer, provider]))
  const rows = await listIdentityRows(db, user.id)
  const { password_hash } = await db
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', user.id)
    .executeTakeFirstOrThrow()
  return {
    hasPassword: hasPassword(password_hash),
    identities: rows.map((row) => ({
      id: row.id,
      name: configured.get(row.issuer)?.name ?? null,
      provider: configured.get(row.issuer)?.label ?? row.issuer,
      email: row.email,
      createdAt: formatTime(row.created_at),
      lastUsedAt: row.last_used_at === null ? null : formatTime(row.last_used_at),
    })),
    providers: [...providers],
  }
})

export const startLink = endpoint(calls.startLink, async (ctx, { provider }) =>
  startFlow(ctx, await getProvider(ctx, provider), 'link', ctx.user),
)

/** Starts confirming the session. The provider is one factor: where two are required, the code comes first. */
export const startConfirmation = endpoint(calls.startConfirmation, (ctx, { provider, code }) =>
  loggingRefusals(ctx, { account: ctx.user.email }, async () => {
    const found = await getProvider(ctx, provider)
    if (await isTwoFactorOn(ctx.db, ctx.user.id)) await useUpOwnCode(ctx, code)
    return startFlow(ctx, found, 'confirm', ctx.user)
  }),
)

async function useUpOwnCode(ctx: UserContext, code: string | undefined): Promise<void> {
  if (code === undefined) throw codeMissing()
  await countCode(ctx, ctx.user.id)
  const proof = await readCode(ctx, ctx.user.id, code)
  await ctx.db.transaction().execute((tx) => useUpCode(tx, ctx.user.id, proof))
  await forgetWrongCodes(ctx, ctx.user.id)
}

/** Finishes linking the account, or confirming the session. The flow belongs to the session that started it. */
export const finishForAccount = endpoint(calls.finishForAccount, (ctx, input) =>
  loggingRefusals(ctx, { account: ctx.user.email }, async () => {
    const flow = await finishFlow(ctx, input, ['link', 'confirm'], ctx.user)
    try {
      assertAllowed(flow.provider, flow.assertion)
      const person = readPerson(ctx, flow.provider, flow.assertion)
      if (flow.purpose === 'link') {
        await link(ctx, person)
        return { purpose: 'link', message: `You can now sign in with ${flow.provider.label}.` }
      }
      await confirm(ctx, person)
      return { purpose: 'confirm', message: 'You have confirmed your identity.' }
    } catch (error) {
      throw toAppError(ctx, flow.provider, error)
    }
  }),
)

async function link(ctx: UserContext, person: ReturnType<typeof readPerson>): Promise<void> {
  const { user } = ctx
  await ctx.db.transaction().execute(async (tx) => {
    await lockUser(tx, user.id)
    if ((await linkPerson(ctx, tx, user.id, person)) === undefined) throw alreadyLinked()
    await reportSecurityChange(ctx, tx, user.id, { change: 'identity_linked' })
  })
  if (person.groups) await ctx.jobs.runDueOf([groupChangesKind])
  logSecurity(ctx, 'identity_linked', { account: user.email })
  await sendQueuedMails(ctx)
}

async function confirm(ctx: UserContext, { issuer, subject }: ReturnType<typeof readPerson>): Promise<void> {
  const { db, user } = ctx
  const linked = await db
    .selectFrom('oidc_identities')
    .select('id')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .where('user_id', '=', user.id)
    .executeTakeFirst()
  if (!linked)
    throw new AppError('sign_in_refused', 'You signed in there as somebody who is not linked to this account.')
  await confirmSession(ctx, db)
  logSecurity(ctx, 'session_confirmed', { account: user.email })
}

/** Removes a link. The last way to sign in stays. */
export const unlinkIdentity = endpoint(
  calls.unlinkIdentity,
  securityEvent('identity_unlinked', async (ctx, { id }) => {
    const { user } = ctx
    // Read before the transaction, which holds the only connection to SQLite.
    const ways = {
      issuers: (await listProviders(ctx)).map(({ issuer }) => issuer),
      passwords: await arePasswordsOn(ctx),
    }
    await ctx.db.transaction().execute(async (tx) => {
      await lockUser(tx, user.id)
      await leaveGroups(ctx, tx, user.id, id)
      const removed = await tx
        .deleteFrom('oidc_identities')
        .where('id', '=', id)
        .where('user_id', '=', user.id)
        .executeTakeFirst()
      if (removed.numDeletedRows === 0n) throw new AppError('not_found', 'This linked provider was not found.')
      if (!(await hasWayIn(tx, user.id, ways))) {
        throw new AppError('state_conflict', 'This is your only way to sign in. Set a password or add a passkey first.')
      }
      await reportSecurityChange(ctx, tx, user.id, { change: 'identity_unlinked' })
    })
    await ctx.jobs.runDueOf([groupChangesKind])
    await sendQueuedMails(ctx)
    return { message: 'The link was removed.' }
  }),
)

/** Returns whether a user can sign in with a password, a passkey or through a provider that is configured. */
async function hasWayIn(
  tx: Tx,
  userId: string,
  { issuers, passwords }: { issuers: readonly string[]; passwords: boolean },
): Promise<boolean> {
  const row = await tx
    .selectFrom('users')
    .select((eb) => [
      'password_hash',
      'site_role',
      eb.exists(eb.selectFrom('passkeys').select('id').whereRef('user_id', '=', 'users.id')).as('has_passkey'),
      eb
        .exists(
          eb
            .selectFrom('oidc_identities')
            .select('id')
            .whereRef('user_id', '=', 'users.id')
            .where('issuer', 'in', issuers.length > 0 ? issuers : ['']),
        )
        .as('has_identity'),
    ])
    .where('id', '=', userId)
    .executeTakeFirst()
  if (!row) return false
  if (row.has_identity) return true
  return (hasPassword(row.password_hash) || Boolean(row.has_passkey)) && (passwords || row.site_role === 'admin')
}

/** Locks the user's row first, as everywhere, so that two requests can't deadlock. */
async function lockUser(tx: Tx, userId: string): Promise<void> {
  await tx.updateTable('users').set({ id: userId }).where('id', '=', userId).execute()
}
