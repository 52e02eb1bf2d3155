import type { AdminProvider, SignInState } from '@alcove/contract/admin-sign-in'
import { calls } from '@alcove/contract/calls'
import type { ConfiguredProvider } from '@alcove/contract/single-sign-on'
import type { Services, UserContext } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import { sealText } from '../../../platform/crypto/secrets.ts'
import { endpoint } from '../../../platform/http/api.ts'
import { OidcError } from '../../../platform/oidc/oidc-error.ts'
import { actorOf, noteAudit } from '../../audit/index.ts'
import { changeSetting, readSetting } from '../../site/index.ts'
import { redirectUriOf } from './flows.ts'
import { groupChangesKind, providerChangesKind } from './group-memberships.ts'
import { getProvider, listProviders, nameSettings } from './providers.ts'
import { signInSetting } from './sign-in-setting.ts'

export const getSignInSettings = endpoint(calls.getSignInSettings, (ctx) => describe(ctx))

/** Changes whether passwords are on, the order of the providers, and the one to which the sign-in page leads. */
export const changeSignInSettings = endpoint(calls.changeSignInSettings, async (ctx, changes) => {
  const names = (await listProviders(ctx)).map(({ name }) => name)
  if (changes.hasPasswords === false && names.length === 0) {
    throw new AppError('state_conflict', 'Add a sign-in provider before you switch passwords off.')
  }
  if (typeof changes.straightTo === 'string' && !names.includes(changes.straightTo)) throw unknownProvider()
  await changeSetting(ctx, signInSetting, async (before, tx) => {
    const { hasPasswords = before.hasPasswords, straightTo = before.straightTo, order = before.order } = changes
    const details = { passwords: hasPasswords, straightTo, order: order.join(', ') }
    await noteAudit(ctx, tx, actorOf(ctx), { action: 'sign-in.changed', details })
    return { ...before, hasPasswords, straightTo, order }
  })
  return describe(ctx)
})

/** Adds a provider, or replaces its settings. */
export const saveProvider = endpoint(calls.saveProvider, async (ctx, { clientSecret, removesSecret, ...provider }) => {
  const { name } = provider
  assertNotGiven(ctx, name)
  await changeSetting(ctx, signInSetting, async (before, tx) => {
    const stored = before.providers.find((one) => one.name === name)
    const kept = removesSecret ? null : (stored?.sealedSecret ?? null)
    const sealedSecret = clientSecret === undefined ? kept : sealText(ctx.secrets.oidcKey, clientSecret, name)
    const saved = { ...provider, sealedSecret }
    await ctx.jobs.enqueue(tx, providerChangesKind, {})
    const details = {
      issuer: provider.issuer,
      clientId: provider.clientId,
      newAccounts: provider.newAccounts,
      groups: provider.groups.join(', '),
    }
    await noteAudit(ctx, tx, actorOf(ctx), { action: 'provider.saved', target: name, details })
    if (stored) return { ...before, providers: before.providers.map((one) => (one.name === name ? saved : one)) }
    return { ...before, providers: [...before.providers, saved] }
  })
  ctx.oidc.forget()
  await followProviders(ctx)
  return describe(ctx)
})

export const removeProvider = endpoint(calls.removeProvider, async (ctx, { name }) => {
  assertNotGiven(ctx, name)
  await changeSetting(ctx, signInSetting, async (before, tx) => {
    const providers = before.providers.filter((one) => one.name !== name)
    if (providers.length === before.providers.length) throw unknownProvider()
    await ctx.jobs.enqueue(tx, providerChangesKind, {})
    await noteAudit(ctx, tx, actorOf(ctx), { action: 'provider.removed', target: name })
    return { ...before, providers, straightTo: before.straightTo === name ? null : before.straightTo }
  })
  await followProviders(ctx)
  return { message: 'The provider was removed.' }
})

/** Ends groups that the providers don't have any more, and what people have by them, before the response. */
async function followProviders({ jobs }: UserContext): Promise<void> {
  await jobs.runDueOf([providerChangesKind])
  await jobs.runDueOf([groupChangesKind])
}

export const testProvider = endpoint(calls.testProvider, async (ctx, { name }) => {
  const provider = await getProvider(ctx, name)
  const problem = await findProviderProblem(ctx, provider)
  if (problem) return { isWorking: false, message: problem.message, fix: problem.fix ?? null }
  return { isWorking: true, message: `${provider.label} can be reached and accepts this server.`, fix: null }
})

/** A provider that doesn't work, and what the operator can do. */
interface ProviderProblem {
  readonly message: string
  readonly fix: string | undefined
}

/** Returns what is wrong with each provider, for the checks of the server. A provider that works has no problem. */
export async function checkProviders(
  services: Services,
): Promise<{ readonly label: string; readonly problem: ProviderProblem | undefined }[]> {
  const providers = await listProviders(services)
  return Promise.all(
    providers.map(async (provider) => ({
      label: provider.label,
      problem: await findProviderProblem(services, provider),
    })),
  )
}

async function findProviderProblem(
  services: Services,
  provider: ConfiguredProvider,
): Promise<ProviderProblem | undefined> {
  try {
    await services.oidc.check(provider, redirectUriOf(services, provider.name))
    return undefined
  } catch (error) {
    if (!(error instanceof OidcError)) throw error
    return {
      message: `${provider.label} can’t be used, because ${error.message}.`,
      fix: nameSettings(services, provider, error.fix),
    }
  }
}

async function describe(ctx: UserContext): Promise<SignInState> {
  const { hasPasswords, straightTo } = await readSetting(ctx, signInSetting)
  const providers = (await listProviders(ctx)).map((provider): AdminProvider => {
    const { clientSecret, ...settings } = provider
    return {
      ...settings,
      hasSecret: clientSecret !== undefined,
      source: isGiven(ctx, provider.name) ? 'environment' : 'administration',
      redirectUri: redirectUriOf(ctx, provider.name),
    }
  })
  return { hasPasswords, straightTo, providers, signOutUri: `${ctx.config.publicUrl}/` }
}

function isGiven({ config }: Pick<Services, 'config'>, name: string): boolean {
  return config.oidcProviders.some((provider) => provider.name === name)
}

function assertNotGiven(ctx: UserContext, name: string): void {
  if (!isGiven(ctx, name)) return
  throw new AppError('state_conflict', 'This provider comes from the settings of the server, and is changed there.')
}

function unknownProvider(): AppError {
  return new AppError('not_found', 'This sign-in provider was not found.')
}
