import { HOUR, MINUTE } from '@alcove/contract/rate-limits'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import { createOneTimeToken } from '../../../platform/crypto/one-time-token.ts'
import { acceptTexts } from '../accept-texts.ts'
import { nameClient } from './client-name.ts'
import { flowHash, openSecret, sealLoginFlow } from './login-flow.ts'

/** Starting writes nothing. This bounds how many requests for an answer one caller can send to people. */
const STARTS = { points: 120, seconds: HOUR }
/** Some clients poll every second, and many may share an address. */
const POLLS = { points: 600, seconds: MINUTE }
/** A form with a token. */
const MAX_BODY = 4096

/**
 * The client's part of Nextcloud's login flows. In flow v2 the client opens the page in a browser and polls. In flow v1, which older
 * apps use, it shows the page itself and waits for an address that starts with `nc:`.
 */
export function loginFlowRoutes(app: FastifyInstance, services: Services): void {
  void app.register(async (scope) => {
    // To start, clients send nothing, with any content type or none.
    acceptTexts(scope, MAX_BODY)
    for (const prefix of ['', '/index.php']) {
      scope.post(`${prefix}/login/v2`, (request) => start(services, request))
      scope.post(`${prefix}/login/v2/poll`, (request) => poll(services, request))
    }
    scope.get('/index.php/login/flow', (request, reply) => openPage(services, request, reply))
  })
}

async function start(services: Services, request: FastifyRequest) {
  const { token, hash } = createOneTimeToken()
  const { publicUrl } = services.config
  return {
    poll: { token, endpoint: `${publicUrl}/index.php/login/v2/poll` },
    login: await addressOfPage(services, request, { hash, polls: true }),
  }
}

/**
 * Redirects a client of flow v1 to the page. Only clients send the header: an address that anybody could link to would look as if an
 * app had asked.
 */
async function openPage(services: Services, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const isClient = request.headers['ocs-apirequest'] !== undefined
  const page = isClient
    ? await addressOfPage(services, request, { hash: flowHash(undefined), polls: false })
    : `${services.config.publicUrl}/login/flow/unknown`
  return reply.redirect(page, 303)
}

async function addressOfPage(
  { config, clock, secrets, rateLimits }: Services,
  request: FastifyRequest,
  flow: { hash: string; polls: boolean },
): Promise<string> {
  await rateLimits.consumeFrom('login flows', STARTS, request.ip)
  const app = nameClient(request.headers['user-agent'] ?? '')
  const token = sealLoginFlow(secrets.loginFlowKey, { ...flow, app, ip: request.ip, startedAt: clock.now() })
  return `${config.publicUrl}/login/flow/${token}`
}

/** Returns the app password once, after the user has allowed the client. Until then, and for everything else, it is 404. */
async function poll({ config, db, clock, secrets, rateLimits }: Services, request: FastifyRequest) {
  await rateLimits.consumeFrom('polls of login flows', POLLS, request.ip)
  const hash = flowHash(readToken(request))
  const allowed = await db
    .selectFrom('login_flows')
    .innerJoin('app_passwords', 'app_passwords.id', 'login_flows.app_password_id')
    .innerJoin('users', 'users.id', 'app_passwords.user_id')
    .select(['login_flows.sealed_secret', 'users.email'])
    .where('login_flows.hash', '=', hash)
    .where('login_flows.expires_at', '>', clock.now())
    .where('users.deleted_at', 'is', null)
    .where('users.suspended_at', 'is', null)
    .executeTakeFirst()
  const sealed = allowed?.sealed_secret
  if (!allowed || !sealed) throw notAllowed()
  // Of two polls at once, only the one that removes the secret gets it.
  const { numUpdatedRows } = await db
    .updateTable('login_flows')
    .set({ sealed_secret: null })
    .where('hash', '=', hash)
    .where('sealed_secret', '=', sealed)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) throw notAllowed()
  const appPassword = openSecret(secrets.loginFlowKey, hash, sealed)
  return { server: config.publicUrl, loginName: allowed.email, appPassword }
}

function notAllowed(): AppError {
  return new AppError('not_found', 'This app has not been allowed yet.')
}

/** The token is in a form (desktop, Android) or in the query (iOS). */
function readToken({ body, query }: FastifyRequest): string {
  const inForm = typeof body === 'string' ? new URLSearchParams(body).get('token') : null
  const inQuery = (query as { token?: unknown }).token
  return inForm ?? (typeof inQuery === 'string' ? inQuery : '')
}
