import { GENERAL_CALLS } from '@alcove/contract/rate-limits'
import type { FastifyInstance } from 'fastify'
import type { Services } from '../../context.ts'
import { AppError } from '../../errors.ts'
import { avatarRoutes } from './avatar/avatar-routes.ts'
import { loginFlowRoutes } from './login-flow/login-flow-routes.ts'
import { ocsRoutes } from './ocs/ocs-routes.ts'
import { describeStatus } from './server-status.ts'

/**
 * What clients of Nextcloud and ownCloud request before and beside WebDAV. The addresses and responses are Nextcloud's, so they are
 * outside of the contract.
 */
export function nextcloudRoutes(app: FastifyInstance, services: Services): void {
  void app.register(async (scope) => {
    scope.addHook('onRequest', async (request, reply) => {
      void reply.header('cache-control', 'no-store').header('x-robots-tag', 'noindex, nofollow')
      await services.rateLimits.consumeFrom('general', GENERAL_CALLS, request.ip)
    })
    scope.get('/status.php', () => describeStatus(services))
    // By this Android finds out whether it is behind a sign-in page of a hotel; without it, it uploads nothing. The desktop client
    // looks for redirects here.
    scope.get('/index.php/204', (_request, reply) => reply.status(204).send())
    avatarRoutes(scope, services)
    loginFlowRoutes(scope, services)
    ocsRoutes(scope, services)
    // Clients must not get the page of our web, which is at all other addresses.
    scope.all('/index.php/*', { onRequest: refuse }, refuse)
  })
}

async function refuse(): Promise<never> {
  throw new AppError('not_found', 'There is nothing at this address.')
}
