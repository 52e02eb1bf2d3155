import type { FastifyReply, FastifyRequest } from 'fastify'

/** The request headers that WebDAV clients in browsers send, and the response headers that they read. */
const SENT = [
  ...['authorization', 'content-type', 'depth', 'destination', 'overwrite', 'if', 'if-match', 'if-none-match'],
  ...['if-modified-since', 'if-unmodified-since', 'if-range', 'range', 'lock-token', 'timeout', 'x-requested-with'],
  ...['oc-checksum', 'x-oc-mtime', 'cache-control', 'accept'],
].join(', ')
const READ = [
  ...['allow', 'content-length', 'content-range', 'accept-ranges', 'dav', 'etag', 'last-modified', 'lock-token'],
  ...['ms-author-via', 'oc-checksum', 'retry-after', 'repr-digest', 'x-oc-mtime', 'x-request-id', 'www-authenticate'],
].join(', ')
/** How long browsers remember a preflight, in seconds. */
const REMEMBERED = '7200'

/** Lets pages of the origins that the operator has named use WebDAV. Without credentials: no cookies are read. */
export function allowOrigins(
  origins: readonly string[],
  methods: string,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const { origin } = request.headers
  if (origins.length === 0) return
  reply.header('vary', 'Origin')
  if (origin === undefined || !origins.includes(origin)) return
  reply.headers({
    'access-control-allow-origin': origin,
    'access-control-expose-headers': READ,
    'cross-origin-resource-policy': 'cross-origin',
  })
  if (!isPreflight(request)) return
  reply.headers({
    'access-control-allow-methods': methods,
    'access-control-allow-headers': SENT,
    'access-control-max-age': REMEMBERED,
  })
}

/** Returns whether a browser asks if a page may send a request. */
export function isPreflight({ method, headers }: FastifyRequest): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined
}
