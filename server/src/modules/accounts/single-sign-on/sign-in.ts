import { calls } from '@alcove/contract/calls'
import { TWO_FACTOR_CHALLENGE_TTL } from '@alcove/contract/limits'
import type { ConfiguredProvider } from '@alcove/contract/single-sign-on'
import type { Context } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import { isUniqueViolation } from '../../../platform/db/database-errors.ts'
import type { UserRow } from '../../../platform/db/tables.ts'
import { endpoint, type Operation } from '../../../platform/http/api.ts'
import { type OidcAssertion, OidcError } from '../../../platform/oidc/oidc-error.ts'
import { loggingRefusals, logSecurity } from '../../../platform/security-log.ts'
import { readSetting } from '../../site/index.ts'
import { lockPassword, openSession, presentSignedIn } from '../sessions/sessions.ts'
import { createChallenge } from '../sign-in/challenges.ts'
import { assertMaySignIn } from '../sign-in/login.ts'
import { isTwoFactorOn } from '../two-factor/two-factor.ts'
import { findUserByEmail } from '../users.ts'
import { assertAllowed, type Person, readPerson } from './claims.ts'
import { createLinkedUser } from './create-linked-user.ts'
import { finishFlow, startFlow } from './flows.ts'
import { findLinkedUser, followGroups } from './identities.ts'
import { mayRegister } from './may-register.ts'
import { arePasswordsOn, getProvider, listProviders, toAppError } from './providers.ts'
import { signInSetting } from './sign-in-setting.ts'
import { sealTicket } from './tickets.ts'

type Result = Awaited<ReturnType<Operation<typeof calls.finishSignIn>>>

export const getSignInOptions = endpoint(calls.getSignInOptions, async (ctx) => {
  const { straightTo } = await readSetting(ctx, signInSetting)
  const providers = await listProviders(ctx)
  return {
    providers: [...providers],
    hasPasswords: await arePasswordsOn(ctx),
    straightTo: providers.find(({ name }) => name === straightTo)?.name ?? null,
  }
})

export const startSignIn = endpoint(calls.startSignIn, async (ctx, { provider }) =>
  startFlow(ctx, await getProvider(ctx, provider), 'sign in'),
)

/**
 * Signs in a person whom a provider has authenticated. The first sign-in creates an account, if the provider's settings allow it. An
 * account that has the person's address is never linked by itself: whoever has its password or a passkey does that with the ticket.
 */
export const finishSignIn = endpoint(calls.finishSignIn, (ctx, input) =>
  loggingRefusals(ctx, {}, async () => {
    const { provider, assertion } = await finishFlow(ctx, input, ['sign in'])
    try {
      const person = readPerson(ctx, provider, assertion)
      await assertAllowedOrLeave(ctx, provider, assertion, person)
      return await admit(ctx, provider, person)
    } catch (error) {
      throw toAppError(ctx, provider, error)
    }
  }),
)

/** Throws if the person may not sign in, after the groups of an account that is linked already were brought up to date. */
async function assertAllowedOrLeave(
  ctx: Context,
  provider: ConfiguredProvider,
  assertion: OidcAssertion,
  person: Person,
): Promise<void> {
  try {
    assertAllowed(provider, assertion)
  } catch (error) {
    if (person.groups) await followGroups(ctx, person)
    throw error
  }
}

async function admit(ctx: Context, provider: ConfiguredProvider, person: Person): Promise<Result> {
  const user = await findLinkedUser(ctx.db, person)
  if (user) return openFor(ctx, user, person)
  const { email } = person
  if (email === null) {
    throw new OidcError('denied', 'it did not confirm your email address', {
      fix: `The claims email and email_verified are required. If every address at this provider is trustworthy, switch {TRUST_EMAIL} on.`,
    })
  }
  const existing = await findUserByEmail(ctx.db, email)
  // Nobody has ever proven that an account without a confirmed address is theirs.
  if (existing && (existing.confirmed_email !== null || existing.email_changed_at !== null)) {
    return { result: 'link_required', email, ticket: sealTicket(ctx, person) }
  }
  if (!(await mayRegister(ctx, provider, email))) {
    throw new OidcError('denied', 'you have no account here and nobody has invited you', {
      fix: 'Invite the address, or change {NEW_ACCOUNTS} or {DOMAINS}.',
    })
  }
  try {
    const signedIn = await createLinkedUser(ctx, { ...person, email }, existing)
    logSecurity(ctx, 'registered', { account: email })
    return { result: 'signed_in', ...signedIn }
  } catch (error) {
    // Another request was faster with this address or this person.
    if (isUniqueViolation(error))
      throw new AppError('state_conflict', 'Your account has just been created. Please start again.')
    throw error
  }
}

/** Opens a session, or asks for a code if the account has two-factor sign-in on: the user wanted it for every sign-in. */
async function openFor(ctx: Context, user: UserRow, person: Person): Promise<Result> {
  await assertMaySignIn(ctx, user)
  const opened = await ctx.db.transaction().execute(async (tx) => {
    if (!(await lockPassword(tx, user))) throw ended()
    if (await isTwoFactorOn(tx, user.id)) {
      const expiresAt = ctx.clock.now() + TWO_FACTOR_CHALLENGE_TTL
      return { challenge: await createChallenge(tx, { kind: 'code', userId: user.id, expiresAt }) }
    }
    return openSession(ctx, tx, user, person)
  })
  if ('challenge' in opened) return { result: 'code_required', ...opened, ticket: sealTicket(ctx, person) }
  return { result: 'signed_in', ...(await presentSignedIn(ctx, user, opened)) }
}

function ended(): AppError {
  return new AppError('invalid_token', 'This sign-in has expired. Please start again.')
}
