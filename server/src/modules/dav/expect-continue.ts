import type { FastifyRequest } from 'fastify'
import { isPassedOn } from '../../platform/http/client-address.ts'

/** The largest body that is let through without being asked. With larger ones, nextcloudcmd 3.7 sometimes lost the response. */
const HELD_BACK = 16 * 1024

/** How to send `100 Continue`, by the request. `app.ts` leaves it to the handlers of this module. */
const unchecked = new WeakMap<object, () => void>()

/** Remembers how to let a client send its body. */
export function expectContinue(request: FastifyRequest, sendContinue: () => void): void {
  unchecked.set(request.raw, sendContinue)
}

/** Returns whether a client waits before it sends its body (`Expect: 100-continue`). */
export function isWaiting({ headers }: FastifyRequest): boolean {
  return headers.expect?.toLowerCase() === '100-continue'
}

/** Lets a client that waits send its body, once. */
export function continueRequest(request: FastifyRequest): void {
  const sendContinue = unchecked.get(request.raw)
  unchecked.delete(request.raw)
  if (isWaiting(request) || isHeldBack(request)) sendContinue?.()
}

/**
 * Returns whether a body may be held back by the client's system. The clients of Nextcloud and ownCloud send headers and body
 * separately, with Nagle's algorithm: the body leaves when the headers are acknowledged. Linux delays that by 40 ms, unless there
 * is something to send. They understand `100 Continue`, also if they didn't ask (RFC 9110, section 15.2.1). Others, and proxies,
 * may not.
 */
function isHeldBack(request: FastifyRequest): boolean {
  const { raw, headers } = request
  if (!/\bmirall\//.test(headers['user-agent'] ?? '')) return false
  const size = Number(headers['content-length'] ?? 0)
  const hasArrived = raw.complete || raw.readableLength > 0
  return raw.httpVersion === '1.1' && size > 0 && size <= HELD_BACK && !hasArrived && !isPassedOn(request)
}
