import Fastify, { type FastifyInstance, LogController } from 'fastify'
import type { Services } from './context.ts'
import { accountEndpoints } from './modules/accounts/index.ts'
import { metricsRoute } from './modules/admin/index.ts'
import { billingEndpoints, portalRoute, webhookRoute } from './modules/billing/index.ts'
import { favoriteEndpoints } from './modules/favorites/index.ts'
import { fileEndpoints } from './modules/files/index.ts'
import { mediaEndpoints } from './modules/media/index.ts'
import { describeSharePage, sharingEndpoints } from './modules/sharing/index.ts'
import { trashEndpoints } from './modules/trash/index.ts'
import { uploadEndpoints } from './modules/uploads/index.ts'
import { vaultEndpoints } from './modules/vault/index.ts'
import { DEFAULT_BODY_LIMIT } from './platform/http/api.ts'
import { createCallPathRewriter } from './platform/http/call-paths.ts'
import { compressJson } from './platform/http/compress-json.ts'
import { docsRoutes } from './platform/http/docs.ts'
import { handleError } from './platform/http/error-handler.ts'
import { healthResponse } from './platform/http/health.ts'
import { acceptForms } from './platform/http/incoming-form.ts'
import { readJsonOrNothing } from './platform/http/request-bodies.ts'
import { createRequestId, logRequest, sendRequestId } from './platform/http/request-log.ts'
import { addSecurityHeaders } from './platform/http/security-headers.ts'
import { serveWeb } from './platform/http/serve-web.ts'
import { outboxPages } from './platform/mail/outbox-page.ts'
import { countRequests } from './platform/metrics/count-requests.ts'
import { sandboxPages } from './platform/payments/sandbox-pages.ts'

/** Every call of the API with its operation. */
const endpoints = [
  ...accountEndpoints,
  ...billingEndpoints,
  ...fileEndpoints,
  ...uploadEndpoints,
  ...favoriteEndpoints,
  ...sharingEndpoints,
  ...trashEndpoints,
  ...mediaEndpoints,
  ...vaultEndpoints,
]

export interface AppOptions {
  /** Where the built web lies; undefined: the API alone. */
  webDirectory?: string
}

/** What goes in and out is held to the contract. Fastify's own compilers, large as they are, are not even loaded. */
function refuseSchemas(): never {
  throw new Error("No route has a schema of Fastify's: the contract has them all.")
}

/** The whole product behind one HTTP server: the API of every area, its description, and the web. */
export async function createApp(services: Services, options: AppOptions = {}): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: services.log,
    // `logRequest` writes the one line a request gets.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: createRequestId,
    rewriteUrl: createCallPathRewriter(),
    // What fails before a route is found, such as an address that cannot be decoded.
    frameworkErrors: handleError,
    schemaController: { compilersFactory: { buildValidator: refuseSchemas, buildSerializer: refuseSchemas } },
    // A name has up to 255 bytes, and each may travel as three characters.
    routerOptions: { maxParamLength: 1024 },
    bodyLimit: DEFAULT_BODY_LIMIT,
    // A chunk may take its time over a slow line; a head may not.
    requestTimeout: 0,
    http: { headersTimeout: 30_000 },
    keepAliveTimeout: 75_000,
    forceCloseConnections: 'idle',
    trustProxy: ['loopback', ...services.config.trustedProxies],
  })
  app.setErrorHandler(handleError)
  sendRequestId(app)
  app.addHook('onResponse', logRequest)
  countRequests(app, services.metrics)
  addSecurityHeaders(app, services.config)
  compressJson(app)
  readJsonOrNothing(app)
  acceptForms(app)
  await app.register(
    async (api) => {
      healthResponse(api, services)
      for (const endpoint of endpoints) endpoint.addTo(api, services)
      portalRoute(api, services)
      webhookRoute(api, services)
      await docsRoutes(api, services.config)
    },
    { prefix: '/api' },
  )
  metricsRoute(app, services)
  outboxPages(app, services)
  sandboxPages(app, services)
  await serveWeb(app, services.config, options.webDirectory, services.thumbnails.canDrawVideos, (path, ip) =>
    describeSharePage(services, path, ip),
  )
  return app
}
