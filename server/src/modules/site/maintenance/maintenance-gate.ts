import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Services, SessionUser } from '../../../context.ts'
import { authenticateBasic } from '../../../platform/http/app-passwords.ts'
import { authenticate } from '../../../platform/http/authenticate.ts'
import { readMaintenance, underMaintenance } from './maintenance.ts'

/** The routes of programs. At all other addresses are the pages of the web, which say what is going on. */
const OF_PROGRAMS = /^\/(api|dav|remote\.php|ocs|index\.php)(\/|$)/

/**
 * Refuses requests of everybody but administrators while the server is under maintenance. It looks only when a request begins, so
 * transfers that run by then finish. The calls by which an administrator signs in are open.
 */
export function closeForMaintenance(app: FastifyInstance, services: Services): void {
  app.addHook('onRequest', async (request, reply) => {
    if (!isHeld(request)) return
    // While the database is away, the request itself finds that out.
    const message = await readMaintenance(services).catch(() => undefined)
    if (message === undefined || (await isOfAdministrator(services, request))) return
    // By this, clients of Nextcloud tell maintenance from a failure.
    void reply.header('x-nextcloud-maintenance-mode', '1')
    throw underMaintenance(message)
  })
}

function isHeld({ method, routeOptions }: FastifyRequest): boolean {
  // The route, not the address: addresses can be written in several ways.
  const { url = '', config } = routeOptions
  if (url === '/api/health' || config.worksInMaintenance) return false
  // Preflights of browsers have no credentials.
  if (method === 'OPTIONS') return false
  return OF_PROGRAMS.test(url) || (method !== 'GET' && method !== 'HEAD')
}

async function isOfAdministrator(services: Services, request: FastifyRequest): Promise<boolean> {
  const { owner } = request.query as { owner?: unknown }
  // A signed address names its owner and needs no credentials. Whether the signature is right, its call finds out.
  if (request.headers.authorization === undefined && typeof owner === 'string') return isAdministrator(services, owner)
  const user = await identify(services, request).catch(() => undefined)
  return user?.isAdmin === true
}

function identify(services: Services, request: FastifyRequest): Promise<SessionUser> {
  const isBasic = /^Basic /i.test(request.headers.authorization ?? '')
  if (isBasic) return authenticateBasic(services, request)
  return authenticate(services, request, { access: 'user', scope: 'read' })
}

async function isAdministrator({ db }: Services, id: string): Promise<boolean> {
  const found = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', id)
    .where('site_role', '=', 'admin')
    .executeTakeFirst()
  return found !== undefined
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route is open to everybody during maintenance. */
    worksInMaintenance?: boolean
  }
}
