import type { FastifyReply, FastifyRequest } from 'fastify'

/** The methods of a WebDAV address. */
export const ALLOWED = 'OPTIONS, GET, HEAD, PUT, DELETE, PROPFIND, PROPPATCH, MKCOL, COPY, MOVE, LOCK, UNLOCK'

/** The headers that tell browsers how to show a page. */
const OF_PAGES = [
  'content-security-policy',
  'cross-origin-opener-policy',
  'permissions-policy',
  'referrer-policy',
  'x-frame-options',
]

/** Adds the headers by which clients recognize a WebDAV server. */
export function describeServer({ method }: FastifyRequest, reply: FastifyReply): void {
  reply.headers({
    dav: '1, 2, 3',
    // Windows may take the address for one of SharePoint otherwise.
    'ms-author-via': 'DAV',
    'cache-control': 'no-store',
    'x-robots-tag': 'noindex, nofollow',
  })
  // Browsers show no responses to other methods. The clients of Nextcloud and ownCloud read headers with one system call per byte.
  if (!['GET', 'HEAD', 'POST'].includes(method)) for (const name of OF_PAGES) reply.removeHeader(name)
}
