import type { UserContext } from '../../../context.ts'
import { openText } from '../../../platform/crypto/secrets.ts'
import { OidcError } from '../../../platform/oidc/oidc-error.ts'
import { findProvider } from './providers.ts'

/**
 * Returns the address at which the browser signs out of the provider through which the session began. Undefined if there is none, and if
 * the provider can't be reached: signing out here never fails because of it.
 */
export async function findSignOutUrl(ctx: UserContext): Promise<string | undefined> {
  const { db, user, config, secrets, oidc, log } = ctx
  const session = await db
    .selectFrom('oidc_sessions')
    .select(['provider', 'sealed_id_token'])
    .where('session_id', '=', user.sessionId)
    .executeTakeFirst()
  const provider = session && (await findProvider(ctx, session.provider))
  if (!session || !provider?.signsOut) return undefined
  try {
    const idToken = openText(secrets.oidcKey, session.sealed_id_token, user.sessionId)
    return await oidc.endSessionUrl(provider, idToken, `${config.publicUrl}/`)
  } catch (error) {
    if (!(error instanceof OidcError)) throw error
    log.warn({ provider: provider.name, reason: error.message }, 'signing out at a provider is not possible')
    return undefined
  }
}
