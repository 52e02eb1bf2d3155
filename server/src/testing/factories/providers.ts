import { type ConfiguredProvider, configuredProvider } from '@alcove/contract/single-sign-on'
import { OIDC_CLIENT } from '../engines/oidc-engine.ts'

/** Returns the settings of a provider, by default one where everybody gets an account. */
export function providerAt(issuer: string, details: Partial<ConfiguredProvider> = {}): ConfiguredProvider {
  return configuredProvider.parse({
    name: 'keycloak',
    label: 'Keycloak',
    issuer,
    clientId: OIDC_CLIENT.id,
    clientSecret: OIDC_CLIENT.secret,
    newAccounts: 'everyone',
    ...details,
  })
}
