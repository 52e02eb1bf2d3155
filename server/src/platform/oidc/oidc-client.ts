import { createHash } from 'node:crypto'
import type { ConfiguredProvider } from '@alcove/contract/single-sign-on'
import type { Configuration, ServerMetadata } from 'openid-client'
import { isLoopback } from '../../config.ts'
import { explainFailure } from './explain-failure.ts'
import { isSecure, limitedFetch } from './limited-fetch.ts'
import type { LogoutNotice } from './logout-token.ts'
import { type OidcAssertion, OidcError } from './oidc-error.ts'

/** How long a discovery document is used, in milliseconds. Keys are fetched for each sign-in, so withdrawn keys end at once. */
const DISCOVERY_TTL = 10 * 60_000
/** How far the clocks of the provider and this server may differ, in seconds. */
const CLOCK_TOLERANCE = 60

/** What a flow must have in its responses. */
export interface FlowSecrets {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

interface StartOptions extends FlowSecrets {
  readonly redirectUri: string
  /** Asks the provider to authenticate the user anew. */
  readonly isFresh: boolean
}

interface FinishOptions {
  /** Claims that are fetched from the user info if the ID token lacks them. */
  readonly needed: readonly string[]
  /** How many seconds ago the user may have signed in at the provider. Undefined for any time. */
  readonly maxAge: number | undefined
}

/** Loaded only when somebody signs in through a provider: most instances have none. */
const load = () => import('openid-client')

/** Talks to OpenID Connect providers with the authorization code flow and PKCE. */
export class OidcClient {
  /** How long a provider may take for each response, in seconds. */
  timeout = 5
  readonly #discovered = new Map<string, { metadata: Promise<ServerMetadata>; until: number }>()

  /** Forgets all discovery documents, for example after the settings have changed. */
  forget(): void {
    this.#discovered.clear()
  }

  /** Returns the address at which the user signs in. */
  async start(provider: ConfiguredProvider, options: StartOptions): Promise<string> {
    const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await load()
    const configuration = await this.#configure(provider)
    const url = buildAuthorizationUrl(configuration, {
      redirect_uri: options.redirectUri,
      scope: provider.scopes,
      state: options.state,
      nonce: options.nonce,
      code_challenge: await calculatePKCECodeChallenge(options.verifier),
      code_challenge_method: 'S256',
      ...(options.isFresh && { prompt: 'login', max_age: '0' }),
    })
    return url.href
  }

  /**
   * Exchanges the code in the address to which the provider sent the browser, and verifies everything that the provider asserts.
   */
  async finish(
    provider: ConfiguredProvider,
    callback: URL,
    { state, nonce, verifier }: FlowSecrets,
    { needed, maxAge }: FinishOptions,
  ): Promise<OidcAssertion> {
    const { authorizationCodeGrant, fetchUserInfo } = await load()
    const configuration = await this.#configure(provider)
    try {
      const tokens = await authorizationCodeGrant(configuration, callback, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      })
      const idToken = tokens.id_token as string
      const claims = tokens.claims() as NonNullable<ReturnType<typeof tokens.claims>>
      assertClaims(provider, claims, maxAge)
      assertAccessTokenHash(idToken, tokens.access_token, claims.at_hash)
      const isComplete = needed.every((claim) => claims[claim] !== undefined)
      const more =
        isComplete || configuration.serverMetadata().userinfo_endpoint === undefined
          ? {}
          : await fetchUserInfo(configuration, tokens.access_token, claims.sub)
      return {
        issuer: claims.iss,
        subject: claims.sub,
        claims: mergeClaims(claims, more),
        idToken,
        sid: typeof claims.sid === 'string' ? claims.sid : undefined,
      }
    } catch (error) {
      // The provider may have moved or changed something since the discovery.
      this.#discovered.delete(keyOf(provider))
      throw explainFailure(error)
    }
  }

  /** Returns the address at which the user signs out of the provider, or undefined if it has none. */
  async endSessionUrl(provider: ConfiguredProvider, idToken: string, redirectUri: string): Promise<string | undefined> {
    const { buildEndSessionUrl } = await load()
    const configuration = await this.#configure(provider)
    if (configuration.serverMetadata().end_session_endpoint === undefined) return undefined
    return buildEndSessionUrl(configuration, { id_token_hint: idToken, post_logout_redirect_uri: redirectUri }).href
  }

  /**
   * Reads the discovery document now, and asks the provider to exchange a code that it never issued. Throws an `OidcError` if the
   * provider can't be used, or doesn't accept this server.
   */
  async check(provider: ConfiguredProvider, redirectUri: string): Promise<void> {
    const { genericGrantRequest } = await load()
    this.#discovered.delete(keyOf(provider))
    const configuration = await this.#configure(provider)
    const request = { code: 'test', redirect_uri: redirectUri, code_verifier: 'test'.repeat(11) }
    try {
      await genericGrantRequest(configuration, 'authorization_code', request)
    } catch (error) {
      const failure = explainFailure(error)
      // Whatever else it refuses, it knows the client.
      if (failure.failure === 'misconfigured' || failure.failure === 'unreachable') throw failure
    }
  }

  /** Verifies a notice that somebody has signed out at the provider. */
  async readLogoutToken(provider: ConfiguredProvider, token: string): Promise<LogoutNotice> {
    const { jwks_uri } = await this.#discover(provider)
    const { issuer, clientId } = provider
    const { readLogoutToken } = await import('./logout-token.ts')
    try {
      return await readLogoutToken(token, { issuer, clientId, jwksUri: String(jwks_uri), timeout: this.timeout })
    } catch (error) {
      throw explainFailure(error)
    }
  }

  async #configure(provider: ConfiguredProvider): Promise<Configuration> {
    const metadata = await this.#discover(provider)
    return configureClient(provider, metadata, this.timeout)
  }

  /** Returns the discovery document. Concurrent sign-ins share one request, and failures are not remembered. */
  #discover(provider: ConfiguredProvider): Promise<ServerMetadata> {
    const key = keyOf(provider)
    const known = this.#discovered.get(key)
    if (known && known.until > Date.now()) return known.metadata
    const metadata = discover(provider, this.timeout)
    this.#discovered.set(key, { metadata, until: Date.now() + DISCOVERY_TTL })
    metadata.catch(() => {
      if (this.#discovered.get(key)?.metadata === metadata) this.#discovered.delete(key)
    })
    return metadata
  }
}

const keyOf = ({ name, issuer }: ConfiguredProvider) => `${name} ${issuer}`

async function discover(provider: ConfiguredProvider, timeout: number): Promise<ServerMetadata> {
  const { allowInsecureRequests, customFetch, discovery } = await load()
  const { issuer } = provider
  try {
    const configuration = await discovery(new URL(issuer), provider.clientId, undefined, undefined, {
      timeout,
      [customFetch]: limitedFetch as never,
      ...(isLoopback(issuer) && { execute: [allowInsecureRequests] }),
    })
    // A copy, because the library keeps what it knows of the provider's keys with this object.
    const metadata = { ...configuration.serverMetadata() }
    assertMetadata(provider, metadata)
    return metadata
  } catch (error) {
    throw explainFailure(error)
  }
}

const REQUIRED = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const

/** Throws if a discovery document is of another issuer, or lacks what a sign-in needs. */
export function assertMetadata(provider: ConfiguredProvider, metadata: ServerMetadata): void {
  // The library tolerates other issuers at some providers, where one document serves many tenants.
  if (metadata.issuer !== provider.issuer) {
    throw new OidcError('misconfigured', `its discovery document is of the issuer ${metadata.issuer}`, {
      fix: `Set {ISSUER} to ${metadata.issuer}, if you trust it.`,
    })
  }
  for (const endpoint of REQUIRED) {
    if (metadata[endpoint] === undefined) {
      throw new OidcError('misconfigured', `its discovery document has no ${endpoint}`, {
        fix: 'Use an OpenID Connect provider: plain OAuth 2.0 can’t sign users in.',
      })
    }
  }
  for (const endpoint of [...REQUIRED, 'userinfo_endpoint', 'end_session_endpoint'] as const) {
    const address = metadata[endpoint]
    if (address !== undefined && !isSecure(address)) {
      throw new OidcError('misconfigured', `its ${endpoint} is not an https:// address`)
    }
  }
}

/** Creates the client for one use. It has no keys yet, so it fetches the provider's current ones. */
async function configureClient(
  provider: ConfiguredProvider,
  metadata: ServerMetadata,
  timeout: number,
): Promise<Configuration> {
  const openid = await load()
  const { clientId, clientSecret } = provider
  const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  const authentication =
    clientSecret === undefined
      ? openid.None()
      : methods.includes('client_secret_basic') || !methods.includes('client_secret_post')
        ? openid.ClientSecretBasic(clientSecret)
        : openid.ClientSecretPost(clientSecret)
  const configuration = new openid.Configuration(
    { ...metadata },
    clientId,
    { [openid.clockTolerance]: CLOCK_TOLERANCE },
    authentication,
  )
  configuration.timeout = timeout
  configuration[openid.customFetch] = limitedFetch as never
  // Without this, the library trusts TLS and doesn't check signatures of tokens from the token endpoint.
  openid.enableNonRepudiationChecks(configuration)
  if (isLoopback(provider.issuer)) openid.allowInsecureRequests(configuration)
  return configuration
}

/** Adds the claims of the user info to those of the ID token. Whether an address is verified must come with the address. */
function mergeClaims(claims: Record<string, unknown>, more: Record<string, unknown>): Record<string, unknown> {
  const { email_verified, ...others } = more
  const isSame = claims.email === undefined || claims.email === more.email
  return { ...others, ...(isSame && { email_verified }), ...claims }
}

/** Checks what the library leaves to the application. */
function assertClaims(
  { clientId }: ConfiguredProvider,
  claims: { azp?: unknown; iat?: number; auth_time?: number },
  maxAge: number | undefined,
): void {
  const now = Date.now() / 1000
  if (claims.azp !== undefined && claims.azp !== clientId) {
    throw new OidcError('untrusted', 'its ID token was issued to another application')
  }
  if ((claims.iat ?? 0) > now + CLOCK_TOLERANCE) {
    throw new OidcError('untrusted', 'its ID token is from the future', {
      fix: 'Compare the clocks of this server and the provider.',
    })
  }
  // Some providers ignore `max_age` and leave the time out.
  if (maxAge !== undefined && (claims.auth_time ?? now) < now - maxAge - CLOCK_TOLERANCE) {
    throw new OidcError('denied', 'you did not sign in there again')
  }
}

/** Checks that the access token belongs to the ID token, if the ID token says which one does. */
function assertAccessTokenHash(idToken: string, accessToken: string, expected: unknown): void {
  if (expected === undefined) return
  const { alg } = JSON.parse(Buffer.from(idToken.split('.')[0] as string, 'base64url').toString()) as { alg: string }
  const bits = /(256|384|512)$/.exec(alg)?.[1] ?? '512'
  const digest = createHash(`sha${bits}`).update(accessToken).digest()
  if (digest.subarray(0, digest.length / 2).toString('base64url') === expected) return
  throw new OidcError('untrusted', 'its access token doesn’t belong to the ID token')
}
