import type { ConfiguredProvider } from '@alcove/contract/single-sign-on'
import type { Context, Services } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import { nameOfSetting } from '../../../oidc-settings.ts'
import { openText } from '../../../platform/crypto/secrets.ts'
import type { UserRow } from '../../../platform/db/tables.ts'
import { OidcError } from '../../../platform/oidc/oidc-error.ts'
import { readSetting } from '../../site/index.ts'
import { type StoredProvider, signInSetting } from './sign-in-setting.ts'

type Reading = Pick<Services, 'config' | 'db' | 'secrets' | 'log'>

/**
 * Returns the providers in the order in which the sign-in page shows them. Those of the environment win over others of their name. Never
 * call it in a transaction: with SQLite, that holds the only connection.
 */
export async function listProviders(services: Reading): Promise<readonly ConfiguredProvider[]> {
  const { order, providers } = await readSetting(services, signInSetting)
  const given = services.config.oidcProviders
  const stored = providers.filter(({ name }) => !given.some((provider) => provider.name === name))
  const all = [...given, ...stored.map((provider) => unseal(services, provider))]
  const placeOf = ({ name }: ConfiguredProvider) => (order.includes(name) ? order.indexOf(name) : order.length)
  return all.sort((one, other) => placeOf(one) - placeOf(other))
}

function unseal({ secrets, log }: Reading, { sealedSecret, ...provider }: StoredProvider): ConfiguredProvider {
  if (sealedSecret === null) return provider
  try {
    return { ...provider, clientSecret: openText(secrets.oidcKey, sealedSecret, provider.name) }
  } catch {
    log.error(
      { provider: provider.name },
      'a client secret can’t be decrypted, since ALCOVE_SECRET has changed: enter it again',
    )
    return provider
  }
}

export async function findProvider(services: Reading, name: string): Promise<ConfiguredProvider | undefined> {
  return (await listProviders(services)).find((provider) => provider.name === name)
}

export async function getProvider(services: Reading, name: string): Promise<ConfiguredProvider> {
  const provider = await findProvider(services, name)
  if (!provider) throw new AppError('not_found', 'This sign-in provider was not found.')
  return provider
}

/**
 * Returns whether users may sign in with passwords and passkeys. Without a provider they always may, because nobody could sign in
 * otherwise.
 */
export async function arePasswordsOn(services: Reading): Promise<boolean> {
  return (await readSetting(services, signInSetting)).hasPasswords || (await listProviders(services)).length === 0
}

/** Returns whether a user may sign in with a password or a passkey. Administrators always may, so that no provider can lock them out. */
export async function mayUsePassword(services: Reading, user: Pick<UserRow, 'site_role'>): Promise<boolean> {
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
  services: Pick<Services, 'config' | 'log'>,
  provider: ConfiguredProvider,
  error: unknown,
): unknown {
  if (!(error instanceof OidcError)) return error
  const { failure, message } = error
  const { name, label } = provider
  const fix = nameSettings(services, provider, error.fix)
  const line = { provider: name, reason: message, detail: describeCause(error.cause), ...(fix && { fix }) }
  services.log[failure === 'denied' || failure === 'expired' ? 'info' : 'warn'](
    line,
    'a sign-in through a provider failed',
  )
  const sentence = `Sign-in with ${label} failed because ${message}.`
  if (failure === 'unreachable') return new AppError('provider_unavailable', `${sentence} Try again later.`)
  if (failure === 'misconfigured') return new AppError('provider_unavailable', `${sentence} Tell your administrator.`)
  return new AppError('sign_in_refused', `${sentence} Please start again.`)
}

/** Puts the names of settings into what an operator can do: variables of the environment, or the labels of the administration. */
export function nameSettings(
  { config }: Pick<Services, 'config'>,
  { name }: ConfiguredProvider,
  fix: string | undefined,
): string | undefined {
  const isGiven = config.oidcProviders.some((provider) => provider.name === name)
  return fix?.replace(/\{([A-Z_]+)\}/g, (_all, ending: string) => nameOfSetting(name, ending, isGiven))
}

/** Returns the messages of an error and its causes. Their other properties can contain tokens. */
function describeCause(error: unknown): string | undefined {
  const messages: string[] = []
  for (let one = error; one instanceof Error && messages.length < 8; one = one.cause) messages.push(one.message)
  return messages.length > 0 ? messages.join(': ').slice(0, 500) : undefined
}
