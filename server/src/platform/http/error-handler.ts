import type { FastifyReply, FastifyRequest } from 'fastify'
import { describeError } from './describe-error.ts'
import { drainRequest } from './drain-request.ts'

/** Sends whatever was thrown in the one error format; what is not meant for users is logged. */
export function handleError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { status, body, retryAfterSeconds } = describeError(error)
  if (status >= 500) request.log.error({ err: error }, 'a request failed')
  if (retryAfterSeconds !== undefined) void reply.header('retry-after', Math.ceil(retryAfterSeconds))
  // Caches may keep a 'not found' of their own accord: a link that is enabled a moment later would stay unknown.
  void reply.header('cache-control', 'no-store')
  drainRequest(request.raw)
  // Fastify would close the connection over a body that is too large, and with it lose the response.
  void reply.removeHeader('connection')
  void reply.status(status).send(body)
}
