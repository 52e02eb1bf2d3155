import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { exportJWK, generateKeyPair } from 'jose'
import { Provider } from 'oidc-provider'
import { findFreePort } from './ports.ts'

export const OIDC_CLIENT = { id: 'alcove', secret: 'a-secret-of-the-client' }

export interface OidcEngine {
  readonly issuer: string
  /** Sets what the provider says of a person, by the name that the person signs in with. */
  setPerson(name: string, claims: Record<string, unknown>): void
  /** Signs a person in at an address of the provider as a browser does, and returns the address to which the provider sends it. */
  visit(url: string, name: string): Promise<URL>
  stop(): Promise<void>
}

/**
 * Starts a real OpenID Connect provider on this machine. Its sign-in page asks only for a name. `publicUrl` is the address of the
 * server that uses it.
 */
export async function startOidcProvider(
  publicUrl: string,
  { name = 'keycloak', configuration = {} }: { name?: string; configuration?: object } = {},
): Promise<OidcEngine> {
  const port = await findFreePort()
  const issuer = `http://127.0.0.1:${port}`
  const people = new Map<string, Record<string, unknown>>()
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: OIDC_CLIENT.id,
        client_secret: OIDC_CLIENT.secret,
        redirect_uris: [`${publicUrl}/sign-in/callback/${name}`],
        post_logout_redirect_uris: [`${publicUrl}/`],
        backchannel_logout_uri: `${publicUrl}/api/sign-in/back-channel/${name}`,
        backchannel_logout_session_required: true,
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: 'first' }] },
    ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    cookies: { keys: ['a key of the tests'] },
    claims: { email: ['email', 'email_verified'], profile: ['name', 'groups', 'quota', 'roles'] },
    findAccount: (_context: unknown, accountId: string) => ({
      accountId,
      claims: () => ({ sub: accountId, ...people.get(accountId) }),
    }),
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: { enabled: true },
    },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    // Nobody is asked for consent.
    loadExistingGrant: async ({ oidc }: { oidc: { session: { accountId: string }; client: { clientId: string } } }) => {
      const grant = new provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
    ...configuration,
  })
  const handle = provider.callback()
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/interaction/')) void interact(provider, request, response)
    else handle(request, response)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    issuer,
    setPerson: (who, claims) => people.set(who, claims),
    visit: (url, who) => visit(url, who, publicUrl),
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Shows a form that asks who signs in, and takes its answer. */
async function interact(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === 'POST') {
    const name = new URLSearchParams(await text(request)).get('name') ?? ''
    const result = name === 'nobody' ? { error: 'access_denied' } : { login: { accountId: name } }
    return provider.interactionFinished(request, response, result)
  }
  response.setHeader('content-type', 'text/html')
  response.end(
    '<!doctype html><title>Provider</title><form method="post"><label>Name <input name="name"></label><button>Continue</button></form>',
  )
}

/** Follows redirects with cookies, like a browser, and signs in where the provider asks who the user is. */
async function visit(start: string, name: string, publicUrl: string): Promise<URL> {
  const cookies = new Map<string, string>()
  let url = new URL(start)
  let form: string | undefined
  for (let step = 0; step < 12; step++) {
    const cookie = [...cookies].map(([key, value]) => `${key}=${value}`).join('; ')
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie, ...(form && { 'content-type': 'application/x-www-form-urlencoded' }) },
      ...(form !== undefined && { method: 'POST', body: form }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [, key = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') cookies.delete(key)
      else cookies.set(key, value)
    }
    const location = response.headers.get('location')
    if (location !== null) {
      form = undefined
      url = new URL(location, url)
      if (url.origin === publicUrl) return url
    } else if (url.pathname.startsWith('/interaction/')) form = `name=${name}`
    else throw new Error(`the provider responded with ${response.status}: ${(await response.text()).slice(0, 500)}`)
  }
  throw new Error('the provider sends the browser around in circles')
}
