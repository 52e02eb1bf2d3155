import Fastify, { type FastifyInstance, LogController } from 'fastify'
import type { Services } from './context.ts'
import { accountEndpoints, backChannelLogoutRoute } from './modules/accounts/index.ts'
import { activityEndpoints } from './modules/activity/index.ts'
import { adminEndpoints, metricsRoute, readSite, selfTestRoute } from './modules/admin/index.ts'
import { auditEndpoints } from './modules/audit/index.ts'
import { billingEndpoints, portalRoute, webhookRoute } from './modules/billing/index.ts'
import { davRoutes } from './modules/dav/index.ts'
import { eventEndpoints } from './modules/events/index.ts'
import { favoriteEndpoints } from './modules/favorites/index.ts'
import { fileEndpoints } from './modules/files/index.ts'
import { mediaEndpoints } from './modules/media/index.ts'
import { memberEndpoints } from './modules/members/index.ts'
import { nextcloudEndpoints, nextcloudRoutes } from './modules/nextcloud/index.ts'
import { noticeEndpoints } from './modules/notices/index.ts'
import { describeSharePage, sharingEndpoints } from './modules/sharing/index.ts'
import { brandImages, closeForMaintenance, siteEndpoints } from './modules/site/index.ts'
import { trashEndpoints } from './modules/trash/index.ts'
import { uploadEndpoints } from './modules/uploads/index.ts'
import { vaultEndpoints } from './modules/vault/index.ts'
import { versionEndpoints } from './modules/versions/index.ts'
import { DEFAULT_BODY_LIMIT } from './platform/http/api.ts'
import { createCallPathRewriter } from './platform/http/call-paths.ts'
import { compressJson } from './platform/http/compress-json.ts'
import { docsRoutes } from './platform/http/docs.ts'
import { handleError } from './platform/http/error-handler.ts'
import { handleExpectContinue } from './platform/http/expect-continue.ts'
import { healthResponse } from './platform/http/health.ts'
import { acceptForms } from './platform/http/incoming-form.ts'
import { readJsonOrNothing } from './platform/http/request-bodies.ts'
import { createRequestId, logRequest, sendRequestId } from './platform/http/request-log.ts'
import { addSecurityHeaders } from './platform/http/security-headers.ts'
import { serveWeb } from './platform/http/serve-web.ts'
import { outboxPages } from './platform/mail/outbox-page.ts'
import { countRequests } from './platform/metrics/count-requests.ts'
import { sandboxPages } from './platform/payments/sandbox-pages.ts'

/** Every call of the API with its handler. */
const endpoints = [
  ...accountEndpoints,
  ...nextcloudEndpoints,
  ...billingEndpoints,
  ...fileEndpoints,
  ...uploadEndpoints,
  ...favoriteEndpoints,
  ...sharingEndpoints,
  ...memberEndpoints,
  ...trashEndpoints,
  ...noticeEndpoints,
  ...activityEndpoints,
  ...mediaEndpoints,
  ...vaultEndpoints,
  ...versionEndpoints,
  ...eventEndpoints,
  ...siteEndpoints,
  ...auditEndpoints,
  ...adminEndpoints,
]

export interface AppOptions {
  /** The folder of the built web. If undefined, only the API is served. */
  webDirectory?: string
}

/** The contract validates input and output, so Fastify's own schema compilers, which are large, are not even loaded. */
function rejectSchemas(): never {
  throw new Error('Routes must not have Fastify schemas. Put the schema into the contract.')
}

/** Creates the HTTP server with the API, its documentation and the web. */
export async function createApp(services: Services, options: AppOptions = {}): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: services.log,
    // `logRequest` writes one line per request instead.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: createRequestId,
    rewriteUrl: createCallPathRewriter(),
    // For requests that fail before a route is found, such as a path that can't be decoded.
    frameworkErrors: handleError,
    schemaController: { compilersFactory: { buildValidator: rejectSchemas, buildSerializer: rejectSchemas } },
    // A name has up to 255 bytes, and percent-encoding takes three characters for each.
    routerOptions: { maxParamLength: 1024 },
    bodyLimit: DEFAULT_BODY_LIMIT,
    // A chunk may take long over a slow connection, but headers may not.
    requestTimeout: 0,
    http: { headersTimeout: 30_000 },
    keepAliveTimeout: 75_000,
    forceCloseConnections: 'idle',
    trustProxy: ['loopback', ...services.config.trustedProxies],
  })
  app.setErrorHandler(handleError)
  handleExpectContinue(app.server)
  sendRequestId(app)
  app.addHook('onResponse', logRequest)
  app.addHook('preClose', async () => services.events.close())
  countRequests(app, services.metrics)
  addSecurityHeaders(app, services.config)
  closeForMaintenance(app, services)
  compressJson(app)
  readJsonOrNothing(app)
  acceptForms(app)
  await app.register(
    async (api) => {
      healthResponse(api, services)
      selfTestRoute(api, services)
      for (const endpoint of endpoints) endpoint.addTo(api, services)
      portalRoute(api, services)
      webhookRoute(api, services)
      backChannelLogoutRoute(api, services)
      await docsRoutes(api, services.config)
    },
    { prefix: '/api' },
  )
  await davRoutes(app, services)
  nextcloudRoutes(app, services)
  metricsRoute(app, services)
  outboxPages(app, services)
  sandboxPages(app, services)
  brandImages(app, services)
  await serveWeb(
    app,
    options.webDirectory,
    () => readSite(services),
    (path, ip) => describeSharePage(services, path, ip),
  )
  return app
}
