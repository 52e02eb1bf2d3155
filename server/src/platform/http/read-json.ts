import type { FastifyInstance } from 'fastify'

/**
 * JSON as Fastify reads it, only that nothing is no error: the web names the content type on every call, also on those
 * that send no body (specification, section 7).
 */
export function readJsonOrNothing(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.trim() === '') done(null, undefined)
    else return parse(request, body, done)
  })
}
