import type { IncomingMessage } from 'node:http'

/** What is read at most of a body that nobody wants: a chunk of the largest size, with room to spare. Bytes. */
const MAX = 128 * 1024 * 1024
/** Milliseconds in which the rest has to come. */
const WITHIN = 60_000

/**
 * Reads and drops what is left of a body after a refusal. While bytes are on their way unread, closing the connection
 * would reset it, and the client would lose the response; and on a connection that stays, they stand before the next
 * request. Whoever sends more than a chunk, or takes too long, is cut off.
 */
export function drainRequest(request: IncomingMessage): void {
  if (request.readableEnded || request.destroyed) return
  // A parser that was broken off no longer reads what is piped to it.
  request.unpipe()
  let left = MAX
  request.on('data', (bytes: Buffer) => {
    left -= bytes.length
    if (left < 0) request.destroy()
  })
  const timer = setTimeout(() => request.destroy(), WITHIN).unref()
  request.once('close', () => clearTimeout(timer))
  request.resume()
}
