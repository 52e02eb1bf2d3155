import type { FastifyReply, FastifyRequest } from 'fastify'

/** One line a request. The route's pattern, not the address: addresses carry names, tokens and signatures. */
export async function logRequest(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const line = {
    method: request.method,
    route: request.routeOptions.url ?? 'none',
    status: reply.raw.statusCode,
    ms: Math.round(reply.elapsedTime * 10) / 10,
    id: request.id,
  }
  request.log.info(line)
}
