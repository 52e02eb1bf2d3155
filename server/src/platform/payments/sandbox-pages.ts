import Fastify, { type FastifyInstance } from 'fastify'
import type { Services } from '../../context.ts'
import { isLocalOrPrivateRequest } from '../http/client-address.ts'
import { SANDBOX_PATH, SandboxPayments } from './sandbox-payments.ts'

/**
 * Serves the sandbox's pages and receives its webhooks, if payments use the sandbox. The pages are a separate app that starts
 * with the first request, so that a server on which nobody buys anything runs no sandbox.
 */
export function sandboxPages(app: FastifyInstance, { payments }: Pick<Services, 'payments'>): void {
  if (!(payments instanceof SandboxPayments)) return
  payments.deliverTo(async (body, signature) => {
    const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
    try {
      return (await app.inject({ method: 'POST', url: '/api/stripe/webhook', headers, payload: body })).statusCode
    } catch {
      // The app is closing. The event is sent again after the next start.
      return 503
    }
  })

  let pages: Promise<FastifyInstance> | undefined
  const openPages = async (): Promise<FastifyInstance> => {
    const { pages: plugin } = await payments.openSandbox()
    const own = Fastify({ trustProxy: 'loopback' })
    await own.register(plugin, { prefix: SANDBOX_PATH })
    await own.ready()
    return own
  }
  void app.register(async (scope) => {
    // The sandbox's app reads the body.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    scope.all(`${SANDBOX_PATH}/*`, async (request, reply) => {
      if (!isLocalOrPrivateRequest(request)) return reply.callNotFound()
      pages ??= openPages().catch((error: unknown) => {
        pages = undefined
        throw error
      })
      const { routing } = await pages
      reply.hijack()
      for (const [name, value] of Object.entries(reply.getHeaders())) {
        if (value !== undefined) reply.raw.setHeader(name, value)
      }
      routing(request.raw, reply.raw)
      return reply
    })
  })
  app.addHook('onClose', async () => {
    await (await pages?.catch(() => undefined))?.close()
  })
}
