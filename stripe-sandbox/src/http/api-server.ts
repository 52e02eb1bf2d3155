import { timingSafeEqual } from 'node:crypto'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { API_VERSION } from '../events/emit.ts'
import { newId } from '../ids.ts'
import type { World } from '../world.ts'
import { calls } from './calls.ts'
import { type Answer, errorResponse, runCall } from './run-call.ts'
import { StripeError } from './stripe-error.ts'

/** More than any call of ours needs. */
const BODY_LIMIT = 256 * 1024

/** The API, as the official SDK speaks it. Only for who has the secret key. */
export function createApiServer(world: World): FastifyInstance {
  const app = Fastify({ bodyLimit: BODY_LIMIT, forceCloseConnections: true })
  readFormsAsText(app)
  app.addHook('onRequest', async (request) => assertKey(request, world.secretKey))
  for (const call of calls) {
    app.route<{ Params: { id?: string } }>({
      method: call.method,
      url: call.path,
      exposeHeadRoute: false,
      handler: async (request, reply) => {
        const response = runCall(world, call, {
          id: request.params.id ?? '',
          path: request.url.split('?')[0] ?? '',
          form: call.method === 'POST' ? formOf(request) : queryOf(request),
          idempotencyKey: headerOf(request, 'idempotency-key'),
        })
        return send(reply, response)
      },
    })
  }
  app.setNotFoundHandler((request, reply) => send(reply, errorResponse(unknownAddress(request))))
  app.setErrorHandler((error, _request, reply) => send(reply, errorResponse(asStripeError(error))))
  return app
}

/** Bodies are parsed in the call itself, so that what is wrong with them is answered in Stripe's words. */
export function readFormsAsText(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<string>('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, body),
  )
  // The SDK names no type where it sends nothing.
  app.addContentTypeParser<string>('*', { parseAs: 'string' }, (_request, body, done) =>
    body === '' ? done(null, '') : done(new StripeError(415, UNSUPPORTED)),
  )
}

const UNSUPPORTED = {
  type: 'invalid_request_error',
  message: 'Invalid content type: send application/x-www-form-urlencoded.',
} as const

export function formOf({ body }: FastifyRequest): string {
  return typeof body === 'string' ? body : ''
}

export function queryOf({ url }: FastifyRequest): string {
  const start = url.indexOf('?')
  return start === -1 ? '' : url.slice(start + 1)
}

export function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value[0] : value
}

export function send(reply: FastifyReply, { status, body, isReplayed }: Answer): FastifyReply {
  if (isReplayed) reply.header('idempotent-replayed', 'true')
  return reply
    .status(status)
    .headers({ 'request-id': newId('req'), 'stripe-version': API_VERSION, 'cache-control': 'no-store' })
    .type('application/json')
    .send(body)
}

export function unknownAddress({ method, url }: FastifyRequest): StripeError {
  return new StripeError(404, {
    type: 'invalid_request_error',
    message: `Unrecognized request URL (${method}: ${url.split('?')[0]}). The sandbox speaks a part of Stripe's API; its README.md says which.`,
  })
}

export function asStripeError(error: unknown): unknown {
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  if (error instanceof StripeError || status >= 500) return error
  return new StripeError(status, { type: 'invalid_request_error', message: 'The request cannot be read.' })
}

function assertKey(request: FastifyRequest, secretKey: string): void {
  const given = keyOf(request)
  if (given === undefined) {
    throw refused('You did not provide an API key. Send it as `Authorization: Bearer YOUR_SECRET_KEY`.')
  }
  if (!isSame(given, secretKey)) {
    const isPublishable = given.startsWith('pk_')
    throw isPublishable
      ? refused('This API call cannot be made with a publishable API key.', 'secret_key_required')
      : refused(`Invalid API Key provided: ${given.slice(0, 8)}****`)
  }
}

/** From `Authorization: Bearer` or, as curl sends it, `Basic` with the key as the user. */
export function keyOf(request: FastifyRequest): string | undefined {
  const [scheme, value] = (request.headers.authorization ?? '').split(' ')
  if (scheme?.toLowerCase() === 'bearer') return value
  if (scheme?.toLowerCase() !== 'basic' || !value) return undefined
  return Buffer.from(value, 'base64').toString('utf8').split(':')[0]
}

export function isSame(given: string, real: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(real)]
  return a.length === b.length && timingSafeEqual(a, b)
}

export function refused(message: string, code?: string): StripeError {
  return new StripeError(401, { type: 'invalid_request_error', message, code })
}
