import type { ConfiguredProvider } from '@alcove/contract/single-sign-on'
import type { Context, Services } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import type { UserRow } from '../../../platform/db/tables.ts'
import { OidcError } from '../../../platform/oidc/oidc-error.ts'

/** Returns the providers in the order in which the sign-in page shows them. */
export async function listProviders({ config }: Pick<Services, 'config'>): Promise<readonly ConfiguredProvider[]> {
  return config.oidcProviders
}

export async function findProvider(
  services: Pick<Services, 'config'>,
  name: string,
): Promise<ConfiguredProvider | undefined> {
  return (await listProviders(services)).find((provider) => provider.name === name)
}

export async function getProvider(services: Pick<Services, 'config'>, name: string): Promise<ConfiguredProvider> {
  const provider = await findProvider(services, name)
  if (!provider) throw new AppError('not_found', 'This sign-in provider was not found.')
  return provider
}

/**
 * Returns whether users may sign in with passwords and passkeys. Without a provider they always may, because nobody could sign in
 * otherwise.
 */
export async function arePasswordsOn(services: Pick<Services, 'config'>): Promise<boolean> {
  return services.config.passwordSignIn || (await listProviders(services)).length === 0
}

/** Returns whether a user may sign in with a password or a passkey. Administrators always may, so that no provider can lock them out. */
export async function mayUsePassword(
  services: Pick<Services, 'config'>,
  user: Pick<UserRow, 'site_role'>,
): Promise<boolean> {
  return user.site_role === 'admin' || (await arePasswordsOn(services))
}

/** Throws if a user, or somebody without an account, may sign in only through a provider. */
export async function assertPasswordsOn(
  ctx: Context,
  user: Pick<UserRow, 'site_role'> = { site_role: 'user' },
): Promise<void> {
  if (await mayUsePassword(ctx, user)) return
  const labels = (await listProviders(ctx)).map(({ label }) => label)
  throw new AppError(
    'sign_in_refused',
    `Passwords and passkeys are switched off here. Sign in with ${labels.join(' or ')}.`,
  )
}

/** Turns a failure at a provider into an error for the user, and logs it with what the operator can do. */
export function toAppError(
  { log }: Pick<Services, 'log'>,
  { name, label }: ConfiguredProvider,
  error: unknown,
): unknown {
  if (!(error instanceof OidcError)) return error
  const { failure, message, fix } = error
  const line = { provider: name, reason: message, detail: describeCause(error.cause), ...(fix && { fix }) }
  log[failure === 'denied' || failure === 'expired' ? 'info' : 'warn'](line, 'a sign-in through a provider failed')
  const sentence = `Sign-in with ${label} failed because ${message}.`
  if (failure === 'unreachable') return new AppError('provider_unavailable', `${sentence} Try again later.`)
  if (failure === 'misconfigured') return new AppError('provider_unavailable', `${sentence} Tell your administrator.`)
  return new AppError('sign_in_refused', `${sentence} Please start again.`)
}

/** Returns the messages of an error and its causes. Their other properties can contain tokens. */
function describeCause(error: unknown): string | undefined {
  const messages: string[] = []
  for (let one = error; one instanceof Error && messages.length < 8; one = one.cause) messages.push(one.message)
  return messages.length > 0 ? messages.join(': ').slice(0, 500) : undefined
}
