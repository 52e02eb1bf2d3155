import { SIGN_IN_FLOW_TTL } from '@alcove/contract/limits'
import type { ConfiguredProvider } from '@alcove/contract/single-sign-on'
import type { Context, SessionUser } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import { createOneTimeToken, hashOneTimeToken } from '../../../platform/crypto/one-time-token.ts'
import { isSignatureOf, signParts } from '../../../platform/crypto/secrets.ts'
import type { OidcFlowTable } from '../../../platform/db/tables.ts'
import type { FlowSecrets } from '../../../platform/oidc/oidc-client.ts'
import type { OidcAssertion } from '../../../platform/oidc/oidc-error.ts'
import { claimsOf } from './claims.ts'
import { findProvider, toAppError } from './providers.ts'

type Purpose = OidcFlowTable['purpose']

/** What the browser brings back. */
interface Callback {
  readonly provider: string
  readonly query: string
  readonly secret: string
}

/** The flow that a browser has finished, and what the provider asserts. */
export interface FinishedFlow {
  readonly purpose: Purpose
  readonly provider: ConfiguredProvider
  readonly assertion: OidcAssertion
}

/**
 * Starts a flow. The secret identifies the tab that started it: state, nonce and code verifier are derived from it, so nobody else can
 * finish the flow, and the database has nothing to finish it with.
 */
export async function startFlow(
  ctx: Context,
  provider: ConfiguredProvider,
  purpose: Purpose,
  user?: SessionUser,
): Promise<{ url: string; secret: string }> {
  const { token: secret, hash } = createOneTimeToken()
  try {
    const options = { redirectUri: redirectUriOf(ctx, provider.name), isFresh: purpose === 'confirm' }
    const url = await ctx.oidc.start(provider, { ...options, ...deriveFrom(ctx, secret) })
    await ctx.db
      .insertInto('oidc_flows')
      .values({
        hash,
        provider: provider.name,
        issuer: provider.issuer,
        purpose,
        user_id: user?.id ?? null,
        session_id: user?.sessionId ?? null,
        expires_at: ctx.clock.now() + SIGN_IN_FLOW_TTL,
      })
      .execute()
    return { url, secret }
  } catch (error) {
    throw toAppError(ctx, provider, error)
  }
}

/** The address of the web's page that gets the provider's response. Each provider has its own, so responses can't be mixed up. */
export function redirectUriOf({ config }: Pick<Context, 'config'>, name: string): string {
  return `${config.publicUrl}/sign-in/callback/${name}`
}

function deriveFrom({ secrets }: Pick<Context, 'secrets'>, secret: string): FlowSecrets {
  const derive = (what: string) => signParts(secrets.oidcKey, [what, secret])
  return { state: derive('state'), nonce: derive('nonce'), verifier: derive('verifier') }
}

/**
 * Finishes a flow of the given purposes: uses it up, has the provider exchange the code, and verifies its response. A response with
 * another state doesn't use the flow up, so that nobody can end a stranger's sign-in.
 */
export async function finishFlow(
  ctx: Context,
  callback: Callback,
  purposes: readonly Purpose[],
  user?: SessionUser,
): Promise<FinishedFlow> {
  const provider = await findProvider(ctx, callback.provider)
  if (!provider) throw expired()
  const query = new URLSearchParams(callback.query)
  if (!isSignatureOf(ctx.secrets.oidcKey, ['state', callback.secret], query.get('state') ?? '')) {
    throw new AppError(
      'sign_in_refused',
      `Sign-in with ${provider.label} failed because the response belongs to another sign-in. Please start again.`,
    )
  }
  const flow = await useUpFlow(ctx, callback, provider, purposes, user)
  if (!flow) throw expired()
  const { purpose } = flow
  const age = Math.ceil((ctx.clock.now() - (flow.expires_at - SIGN_IN_FLOW_TTL)) / 1000)
  const url = new URL(redirectUriOf(ctx, provider.name))
  url.search = query.toString()
  try {
    const assertion = await ctx.oidc.finish(provider, url, deriveFrom(ctx, callback.secret), {
      needed: claimsOf(provider),
      maxAge: purpose === 'confirm' ? age : undefined,
    })
    return { purpose, provider, assertion }
  } catch (error) {
    throw toAppError(ctx, provider, error)
  }
}

/** One statement, so that of two concurrent responses only one counts. */
async function useUpFlow(
  { db, clock }: Context,
  { secret }: Callback,
  { name, issuer }: ConfiguredProvider,
  purposes: readonly Purpose[],
  user: SessionUser | undefined,
): Promise<Pick<OidcFlowTable, 'purpose' | 'expires_at'> | undefined> {
  return db
    .deleteFrom('oidc_flows')
    .where('hash', '=', hashOneTimeToken(secret))
    .where('provider', '=', name)
    .where('issuer', '=', issuer)
    .where('purpose', 'in', purposes)
    .where('user_id', user ? '=' : 'is', user?.id ?? null)
    .where('session_id', user ? '=' : 'is', user?.sessionId ?? null)
    .where('expires_at', '>', clock.now())
    .returning(['purpose', 'expires_at'])
    .executeTakeFirst()
}

function expired(): AppError {
  return new AppError('invalid_token', 'This sign-in has expired or was already used. Please start again.')
}
