import type { FastifyInstance } from 'fastify'
import { abortWhenIdle, hasBody } from '../../platform/http/request-bodies.ts'

/** Accepts bodies of any content type, or of none, as texts of at most `bodyLimit` bytes. Clients send small forms. */
export function acceptTexts(scope: FastifyInstance, bodyLimit: number): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit }, (_request, body, done) => done(null, body))
  scope.addHook('onRequest', async (request) => {
    if (hasBody(request)) abortWhenIdle(request.raw)
  })
}
