import type { FastifyInstance } from 'fastify'
import type { Services } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { isAmong } from '../../../platform/db/portable-sql.ts'
import type { LogoutNotice } from '../../../platform/oidc/logout-token.ts'
import { logSecurity } from '../../../platform/security-log.ts'
import { findProvider, toAppError } from './providers.ts'

/** Larger than any logout token. In bytes. */
const MAX_BODY = 32 * 1024
/** Providers send one notice for each session that ends. */
const NOTICES = { points: 600, seconds: 60 }

/** Receives notices of providers that somebody has signed out there, and ends the sessions that began with that sign-in. */
export function backChannelLogoutRoute(api: FastifyInstance, services: Services): void {
  void api.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
    scope.post<{ Params: { provider: string } }>(
      '/sign-in/back-channel/:provider',
      { bodyLimit: MAX_BODY },
      async (request, reply) => {
        await services.rateLimits.consumeFrom('back-channel logouts', NOTICES, request.ip)
        const token = new URLSearchParams(String(request.body ?? '')).get('logout_token') ?? ''
        await endSessionsOf(services, request.params.provider, token, request.ip)
        return reply.header('cache-control', 'no-store').send({ message: 'The sessions are ended.' })
      },
    )
  })
}

async function endSessionsOf(services: Services, name: string, token: string, ip: string): Promise<void> {
  const provider = await findProvider(services, name)
  if (!provider) throw new AppError('not_found', 'This sign-in provider was not found.')
  try {
    const notice = await services.oidc.readLogoutToken(provider, token)
    const accounts = await services.db.transaction().execute((tx) => endNoticed(tx, name, notice, services.clock.now()))
    for (const account of accounts) logSecurity({ log: services.log, ip }, 'signed_out_at_provider', { account })
  } catch (error) {
    const refusal = toAppError(services, provider, error)
    // The specification of back-channel logout asks for this status.
    if (refusal instanceof AppError && refusal.code === 'sign_in_refused') {
      throw new AppError('malformed', 'This logout token is not valid.')
    }
    throw refusal
  }
}

/** Ends the sessions that a notice is about. Returns the accounts. */
async function endNoticed(
  tx: Tx,
  provider: string,
  { issuer, subject, sid }: LogoutNotice,
  now: number,
): Promise<string[]> {
  const noticed = await tx
    .selectFrom('oidc_sessions')
    .innerJoin('oidc_identities', 'oidc_identities.id', 'oidc_sessions.identity_id')
    .innerJoin('users', 'users.id', 'oidc_identities.user_id')
    .select(['oidc_sessions.session_id', 'users.id', 'users.email'])
    .where('oidc_identities.issuer', '=', issuer)
    .where('oidc_sessions.provider', '=', provider)
    .$if(subject !== undefined, (query) => query.where('oidc_identities.subject', '=', subject ?? ''))
    .$if(sid !== undefined, (query) => query.where('oidc_sessions.sid', '=', sid ?? ''))
    .orderBy('users.id')
    .execute()
  const users = new Map(noticed.map(({ id, email }) => [id, email]))
  if (noticed.length === 0) return []
  // Locks the users' rows first, as everywhere, so that two requests can't deadlock.
  await tx
    .updateTable('users')
    .set({ grants_revoked_at: now })
    .where(isAmong(tx, 'id', [...users.keys()]))
    .execute()
  const ended = noticed.map(({ session_id }) => session_id)
  await tx
    .deleteFrom('sessions')
    .where(isAmong(tx, 'id', ended))
    .execute()
  return [...users.values()]
}
