import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** Logs one line for each request, with the route's pattern instead of the address: addresses contain names, tokens and signatures. */
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

/** Request ids that are accepted from a proxy: nothing that could be mistaken for something else in a log. */
const GIVEN = /^[\w.-]{8,64}$/

/** Different for each process, so that no two servers create the same id. */
const prefix = randomBytes(6).toString('base64url')
let requests = 0

export function createRequestId({ headers }: IncomingMessage): string {
  const given = headers['x-request-id']
  if (typeof given === 'string' && GIVEN.test(given)) return given
  requests += 1
  return `${prefix}-${requests.toString(36)}`
}

/** Sends the id of each request, which the log has too, so that users can report it. */
export function sendRequestId(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, next) => {
    reply.header('x-request-id', request.id)
    next()
  })
}
