import type { FastifyReply } from 'fastify'

/** The methods of a WebDAV address. */
export const ALLOWED = 'OPTIONS, GET, HEAD, PUT, DELETE, PROPFIND, PROPPATCH, MKCOL, COPY, MOVE, LOCK, UNLOCK'

/** Adds the headers by which clients recognize a WebDAV server. */
export function describeServer(reply: FastifyReply): void {
  reply.headers({
    dav: '1, 2, 3',
    // Windows may take the address for one of SharePoint otherwise.
    'ms-author-via': 'DAV',
    'cache-control': 'no-store',
    'x-robots-tag': 'noindex, nofollow',
  })
}
