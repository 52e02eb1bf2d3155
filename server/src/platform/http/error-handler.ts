import type { FastifyReply, FastifyRequest } from 'fastify'
import { describeRefusal } from './describe-refusal.ts'

/** Answers whatever was thrown in the one error format; what is not meant for users is logged. */
export function handleError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { status, body, retryAfterSeconds } = describeRefusal(error)
  if (status >= 500) request.log.error({ err: error }, 'a request failed')
  if (retryAfterSeconds !== undefined) void reply.header('retry-after', Math.ceil(retryAfterSeconds))
  // Caches may keep a 'not found' of their own accord: a link that is enabled a moment later would stay unknown.
  void reply.header('cache-control', 'no-store')
  // Bytes that nobody will read any more are let through, so that the client gets to read the answer.
  request.raw.resume()
  void reply.status(status).send(body)
}
