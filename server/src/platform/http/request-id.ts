import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** What a proxy in front of us may have called a request: as long as it could not be mistaken for anything else in a log. */
const GIVEN = /^[\w.-]{8,64}$/

/** Different for each process, so that no two servers give the same id. */
const prefix = randomBytes(6).toString('base64url')
let requests = 0

export function createRequestId({ headers }: IncomingMessage): string {
  const given = headers['x-request-id']
  if (typeof given === 'string' && GIVEN.test(given)) return given
  requests += 1
  return `${prefix}-${requests.toString(36)}`
}

/** Whoever complains of a response can say which it was: the log has the same id. */
export function sendRequestId(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, next) => {
    reply.header('x-request-id', request.id)
    next()
  })
}
