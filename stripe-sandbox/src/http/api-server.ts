import { timingSafeEqual } from 'node:crypto'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { API_VERSION } from '../events.ts'
import { newId } from '../text.ts'
import type { World } from '../world.ts'
import { type ApiCall, calls, callsForBrowsers } from './calls.ts'
import { parseForm } from './parameters.ts'
import { type ApiResponse, errorResponse, runCall } from './run-call.ts'
import { StripeError } from './stripe-error.ts'

/** More than any call of the product needs. */
const BODY_LIMIT = 256 * 1024

/** Creates the API server that the official SDK talks to. It requires the secret key. */
export function createApiServer(world: World): FastifyInstance {
  const app = Fastify({ bodyLimit: BODY_LIMIT, forceCloseConnections: true })
  readFormsAsText(app)
  app.addHook('onRequest', async (request) => assertSecretKey(request, world.secretKey))
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

/** Passes bodies on unparsed. The call parses them, so that errors have Stripe's format. */
export function readFormsAsText(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<string>('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, body),
  )
  // The SDK sends no content type with an empty body.
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

function queryOf({ url }: FastifyRequest): string {
  const start = url.indexOf('?')
  return start === -1 ? '' : url.slice(start + 1)
}

function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value[0] : value
}

function send(reply: FastifyReply, { status, body, isReplayed }: ApiResponse): FastifyReply {
  if (isReplayed) reply.header('idempotent-replayed', 'true')
  return reply
    .status(status)
    .headers({ 'request-id': newId('req'), 'stripe-version': API_VERSION, 'cache-control': 'no-store' })
    .type('application/json')
    .send(body)
}

function unknownAddress({ method, url }: FastifyRequest): StripeError {
  return new StripeError(404, {
    type: 'invalid_request_error',
    message: `Unrecognized request URL (${method}: ${url.split('?')[0]}). The sandbox implements a part of Stripe's API; see its README.md.`,
  })
}

function asStripeError(error: unknown): unknown {
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  if (error instanceof StripeError || status >= 500) return error
  return new StripeError(status, { type: 'invalid_request_error', message: 'The request cannot be read.' })
}

function assertSecretKey(request: FastifyRequest, secretKey: string): void {
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

/** Reads the key from `Authorization: Bearer`, or from `Basic` with the key as the user, which curl sends. */
function keyOf(request: FastifyRequest): string | undefined {
  const [scheme, value] = (request.headers.authorization ?? '').split(' ')
  if (scheme?.toLowerCase() === 'bearer') return value
  if (scheme?.toLowerCase() !== 'basic' || !value) return undefined
  return Buffer.from(value, 'base64').toString('utf8').split(':')[0]
}

function isSame(given: string, real: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(real)]
  return a.length === b.length && timingSafeEqual(a, b)
}

function refused(message: string, code?: string): StripeError {
  return new StripeError(401, { type: 'invalid_request_error', message, code })
}

/** Registers the calls that the browser's card form makes. Card details go here and never to the product. */
export async function browserApi(app: FastifyInstance, world: World): Promise<void> {
  for (const call of callsForBrowsers) {
    app.route<{ Params: { id?: string } }>({
      method: call.method,
      url: call.path,
      exposeHeadRoute: false,
      handler: async (request, reply) => {
        const form = call.method === 'POST' ? formOf(request) : queryOf(request)
        return send(reply, browserResponse(world, call, { form, id: request.params.id ?? '', key: keyOf(request) }))
      },
    })
  }
  app.all('/v1/*', (request, reply) => send(reply, errorResponse(unknownAddress(request))))
  app.setErrorHandler((error, _request, reply) => send(reply, errorResponse(asStripeError(error))))
}

/** The key may also be a form field, which is how Stripe's own script sends it. */
function browserResponse(
  world: World,
  call: ApiCall,
  request: { form: string; id: string; key?: string },
): ApiResponse {
  try {
    const { key: formKey } = parseForm(request.form)
    const key = request.key ?? (typeof formKey === 'string' ? formKey : '')
    if (!isSame(key, world.publishableKey)) throw refused('Invalid publishable API key.')
    return runCall(world, call, { ...request, path: call.path })
  } catch (error) {
    return errorResponse(error)
  }
}
