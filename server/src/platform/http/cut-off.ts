import type { IncomingMessage } from 'node:http'

/** So long, in milliseconds, whoever sends a body may send nothing: a connection that is lost does not always say so. */
const PATIENCE = 60_000
/** The same while somebody waits for its end. */
const IMPATIENCE = 2000
const LOOK_EVERY = 1000

/**
 * Ends the connection of whoever has stopped sending although more is waited for. What is not read because we have no use
 * for it yet does not count as silence.
 */
export function cutOffWhenQuiet(request: IncomingMessage): { hurry(): void } {
  let patience = PATIENCE
  let received = request.socket.bytesRead
  let movedAt = performance.now()
  const watch = setInterval(() => {
    const hasMoved = request.socket.bytesRead !== received || request.isPaused()
    if (hasMoved) {
      received = request.socket.bytesRead
      movedAt = performance.now()
    } else if (performance.now() - movedAt >= patience) request.destroy()
  }, LOOK_EVERY).unref()
  const stop = () => clearInterval(watch)
  request.once('end', stop).once('close', stop)
  return {
    hurry: () => {
      patience = IMPATIENCE
    },
  }
}
