import type { DriveScope } from '@alcove/contract/call'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Services, SessionUser } from '../../context.ts'
import { publicContext } from '../../platform/http/api.ts'
import { assertInScope, authenticateBasic, endWhenRevoked } from '../../platform/http/app-passwords.ts'
import { authenticate } from '../../platform/http/authenticate.ts'
import { copy, move } from './copy-move.ts'
import { allowOrigins, isPreflight } from './cors.ts'
import { DavError, handleDavError } from './dav-error.ts'
import { readPath } from './dav-path.ts'
import type { DavHandler, DavMethods, DavRequest } from './dav-request.ts'
import { ALLOWED, describeServer } from './describe-server.ts'
import { withinMount } from './enter-mount.ts'
import { expectContinue } from './expect-continue.ts'
import { get } from './get.ts'
import { parseIfHeader } from './if-header.ts'
import { lock, unlock } from './locking.ts'
import { mkcol } from './mkcol.ts'
import { DRIVE, davPoint, type MountPoint, remotePoints, userMountPoint } from './mounts.ts'
import { propfind, propfindServer } from './propfind.ts'
import { proppatch } from './proppatch.ts'
import { put } from './put.ts'
import { bulkMethods, bulkPoint } from './remote/bulk.ts'
import { previewRoutes, sendPreview, sendThumbnail, THUMBNAIL_PREFIX } from './remote/previews.ts'
import { report } from './remote/report.ts'
import { search, searchRoutes } from './remote/search.ts'
import { trashMethods } from './remote/trashbin.ts'
import { uploadMethods } from './remote/uploads.ts'
import { versionMethods } from './remote/versions.ts'
import { trash } from './trash.ts'

const driveMethods: DavMethods = {
  GET: { handler: get, scope: 'read' },
  HEAD: { handler: get, scope: 'read' },
  PROPFIND: { handler: propfind, scope: 'read' },
  PUT: { handler: put, scope: 'upload' },
  MKCOL: { handler: mkcol, scope: 'upload' },
  DELETE: { handler: trash, scope: 'write' },
  PROPPATCH: { handler: proppatch, scope: 'write' },
  COPY: { handler: copy, scope: 'write' },
  MOVE: { handler: move, scope: 'write' },
  LOCK: { handler: lock, scope: 'write' },
  UNLOCK: { handler: unlock, scope: 'write' },
}

const remoteMethods: DavMethods = { ...driveMethods, REPORT: { handler: report, scope: 'read' } }

const OWN_METHODS = ['PROPFIND', 'PROPPATCH', 'MKCOL', 'COPY', 'MOVE', 'LOCK', 'UNLOCK', 'REPORT', 'SEARCH']

/** What is served, and by which methods. */
const places: readonly { point: MountPoint; methods: DavMethods; isDrive?: boolean }[] = [
  { point: davPoint, methods: driveMethods, isDrive: true },
  ...remotePoints.map((point) => ({ point, methods: remoteMethods, isDrive: true })),
  { point: bulkPoint, methods: bulkMethods },
  { point: userMountPoint('uploads'), methods: uploadMethods },
  { point: userMountPoint('trashbin'), methods: trashMethods },
  { point: userMountPoint('versions'), methods: versionMethods },
]

/** Serves a user's drive by WebDAV at each of its mounts, and what clients ask for at the root of the server. */
export async function davRoutes(app: FastifyInstance, services: Services): Promise<void> {
  // These methods have bodies, but the handlers read them.
  for (const method of OWN_METHODS) app.addHttpMethod(method)
  await app.register(async (dav) => {
    dav.setErrorHandler(handleDavError)
    dav.removeAllContentTypeParsers()
    dav.addContentTypeParser('*', (_request, _body, done) => done(null))
    dav.addHook('onRequest', async (request, reply) => {
      describeServer(request, reply)
      allowOrigins(services.config.davOrigins, ALLOWED, request, reply)
      expectContinue(request, () => reply.raw.writeContinue())
      if (request.is404 && request.method in driveMethods) throw new DavError(404, 'Nothing is at this address.')
      if (request.is404) throw new DavError(405, 'This method is not supported here.')
      // Only a bulk upload needs it, and Fastify would refuse a malformed one.
      if (request.method !== 'POST') delete request.headers['content-type']
    })
    for (const { point, methods, isDrive } of places) {
      for (const url of [point.route, `${point.route}/*`]) {
        dav.route({ method: ['OPTIONS'], url, handler: options })
        for (const [method, { handler, scope }] of Object.entries(methods)) {
          dav.route({
            method: method as 'GET',
            url,
            exposeHeadRoute: false,
            handler: async (request, reply) => {
              const dav = await openRequest(services, point, scope, request, reply)
              return isDrive ? handleShared(services, dav, scope, handler) : handler(dav)
            },
          })
        }
      }
    }
    // Every other method gets here, and is refused by the hook.
    for (const prefix of ['/dav', '/remote.php']) {
      dav.register(async (others) => others.setNotFoundHandler(() => {}), { prefix })
    }
    serveRoot(dav, services)
    servePreviews(dav, services)
    serveSearch(dav, services)
  })
}

function options(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.header('allow', ALLOWED)
  if (isPreflight(request)) return reply.status(204).send()
  return reply.status(200).header('content-length', '0').send()
}

/** Authenticates a request and reads the headers that every method has. */
async function openRequest(
  services: Services,
  point: Pick<MountPoint, 'open'>,
  scope: DriveScope,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<DavRequest> {
  const { ctx } = await authorize(services, scope, request, reply)
  const given = request.headers.if
  const ifHeader = typeof given === 'string' ? parseIfHeader(given) : undefined
  const url = request.raw.url ?? ''
  const mount = point.open(url, ctx.user)
  const path = readPath(mount, url)
  if (!path) throw new DavError(404, 'Nothing is at this address.')
  const user = { ...ctx.user, ...(ifHeader && { lockTokens: ifHeader.tokens }) }
  return { ctx: { ...ctx, user }, request, reply, headers: request.headers, mount, path, ifHeader }
}

/** These concern the place of a shared folder in the member's own tree, if they name the folder itself. */
const OF_PLACE = new Set(['DELETE', 'MOVE'])

/** Handles a request in a shared folder if one is on the path. */
function handleShared(services: Services, dav: DavRequest, scope: DriveScope, handler: DavHandler): Promise<unknown> {
  const isOfPlace = OF_PLACE.has(dav.request.method)
  return withinMount(
    dav,
    scope,
    (entered) => {
      if (entered.home) endWhenRevoked(services, entered.ctx.user, dav.reply.raw)
      return handler(entered)
    },
    { isOfPlace },
  )
}

/** Authenticates a request. */
async function authorize(
  services: Services,
  scope: DriveScope,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Pick<DavRequest, 'ctx' | 'request' | 'reply'>> {
  const user = await identify(services, request, scope)
  if (user.appPassword) endWhenRevoked(services, user, reply.raw)
  return { ctx: { ...publicContext(services, request, reply), user }, request, reply }
}

/** Returns the user of a request, by Basic with an app password or by Bearer. Cookies are never read. */
async function identify(services: Services, request: FastifyRequest, scope: DriveScope): Promise<SessionUser> {
  if (/^Bearer /i.test(request.headers.authorization ?? '')) {
    return authenticate(services, request, { access: 'user', scope })
  }
  const user = await authenticateBasic(services, request)
  if (user.appPassword) assertInScope(user.appPassword, scope)
  return user
}

/** Sends pictures of files to clients of Nextcloud. */
function servePreviews(dav: FastifyInstance, services: Services): void {
  const send = (handler: typeof sendPreview) => async (request: FastifyRequest, reply: FastifyReply) =>
    handler(await authorize(services, 'read', request, reply))
  for (const url of previewRoutes) dav.get(url, send(sendPreview))
  dav.get(`${THUMBNAIL_PREFIX}/*`, send(sendThumbnail))
}

/** Searches the drive for clients of Nextcloud. */
function serveSearch(dav: FastifyInstance, services: Services): void {
  for (const url of searchRoutes) {
    dav.route({
      method: 'SEARCH' as 'GET',
      url,
      exposeHeadRoute: false,
      handler: async (request, reply) => search(await authorize(services, 'read', request, reply)),
    })
  }
}

/** Windows looks at the root of the server before it opens a folder, and other clients at the well-known address. */
function serveRoot(dav: FastifyInstance, services: Services): void {
  dav.route({ method: 'OPTIONS', url: '/', handler: options })
  dav.route({
    method: 'PROPFIND' as 'GET',
    url: '/',
    handler: async (request, reply) => {
      const root = await openRequest(services, { open: () => ({ prefix: '' }) }, 'read', request, reply)
      return propfindServer({ ...root, mount: DRIVE })
    },
  })
  dav.route({
    method: ['GET', 'HEAD', 'OPTIONS', 'PROPFIND' as 'GET'],
    url: '/.well-known/webdav',
    exposeHeadRoute: false,
    handler: (_request, reply) => reply.redirect(`${DRIVE.prefix}/`, 301),
  })
}
