import type { Server } from 'node:http'

/** Paths whose handlers check a request before they let the client send its body. */
const CHECKING = /^\/(dav|remote\.php)(\/|$)/

/**
 * Handles requests with `Expect: 100-continue`. Node would let every client send its body at once. At addresses of WebDAV, a handler
 * decides that after its checks, so that a file which can't be stored isn't sent at all (RFC 9110, section 10.1.1).
 */
export function handleExpectContinue(server: Server): void {
  server.on('checkContinue', (request, response) => {
    if (!CHECKING.test(request.url ?? '')) response.writeContinue()
    server.emit('request', request, response)
  })
}
