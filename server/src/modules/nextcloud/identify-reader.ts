import type { FastifyRequest } from 'fastify'
import type { AppPasswordUse, Services, SessionUser } from '../../context.ts'
import { assertInScope, authenticateBasic } from '../../platform/http/app-passwords.ts'

/** Returns the user of a request with an app password that may read. Throws 401 or 403 otherwise. */
export async function identifyReader(services: Services, request: FastifyRequest): Promise<SessionUser> {
  const user = await authenticateBasic(services, request)
  assertInScope(user.appPassword as AppPasswordUse, 'read')
  return user
}
