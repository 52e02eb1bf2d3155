import type { FastifyRequest } from 'fastify'
import { AppError } from '../../../errors.ts'

/**
 * Throws 403 without the header `OCS-APIRequest`, which pages of other sites can't send. A browser may have saved the app password,
 * because it asks for one when somebody opens such an address.
 */
export function assertSentByProgram({ headers }: FastifyRequest): void {
  if (headers['ocs-apirequest'] === 'true') return
  throw new AppError('forbidden', 'This call needs the header "OCS-APIRequest: true".')
}
