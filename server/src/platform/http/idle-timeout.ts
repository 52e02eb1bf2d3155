import type { IncomingMessage } from 'node:http'

/** So long, in milliseconds, whoever sends a body may send nothing: a connection that is lost does not always say so. */
const IDLE_TIMEOUT = 60_000
/** The same while somebody waits for its end. */
const SHORT_IDLE_TIMEOUT = 2000
const LOOK_EVERY = 1000
/** In each such time, in milliseconds, at least so many bytes have to come: a kibibyte a second, which any phone can do. */
const WINDOW = 60_000
const LEAST_IN_WINDOW = 60 * 1024

/**
 * Ends the connection of whoever has stopped sending although more is waited for, or sends next to nothing to keep it.
 * What is not read because we have no use for it yet counts as neither.
 */
export function abortWhenIdle(request: IncomingMessage): { hurry(): void } {
  let idleTimeout = IDLE_TIMEOUT
  let received = request.socket.bytesRead
  let movedAt = performance.now()
  let window = { began: movedAt, received }
  const watch = setInterval(() => {
    const now = performance.now()
    if (request.isPaused()) window = { began: now, received: request.socket.bytesRead }
    else if (now - window.began >= WINDOW) {
      if (request.socket.bytesRead - window.received < LEAST_IN_WINDOW) request.destroy()
      window = { began: now, received: request.socket.bytesRead }
    }
    const hasMoved = request.socket.bytesRead !== received || request.isPaused()
    if (hasMoved) {
      received = request.socket.bytesRead
      movedAt = performance.now()
    } else if (performance.now() - movedAt >= idleTimeout) request.destroy()
  }, LOOK_EVERY).unref()
  const stop = () => clearInterval(watch)
  request.once('end', stop).once('close', stop)
  return {
    hurry: () => {
      idleTimeout = SHORT_IDLE_TIMEOUT
    },
  }
}
