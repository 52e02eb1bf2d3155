import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { EVENT_STREAM } from '../events/event-stream.ts'
import type { Metrics } from './metrics.ts'

interface Counted {
  received: number
  sent: number
}

/** Counts responses. Without metrics it adds no hooks. */
export function countRequests(app: FastifyInstance, metrics: Metrics | undefined): void {
  if (!metrics) return
  const counted = new WeakMap<Socket, Counted>()

  /** Returns the bytes that a connection has carried since the last call. */
  function countBytes(socket: Socket): void {
    const { bytesRead, bytesWritten } = socket
    // Requests of tests have no connection.
    if (bytesRead === undefined) return
    let last = counted.get(socket)
    if (!last) {
      last = { received: 0, sent: 0 }
      counted.set(socket, last)
      socket.once('close', () => countBytes(socket))
    }
    metrics?.countBytes(bytesRead - last.received, bytesWritten - last.sent)
    last.received = bytesRead
    last.sent = bytesWritten
  }

  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none'
    // A stream of events lasts as long as its client likes, so its duration says nothing about this server.
    if (reply.raw.getHeader('content-type') !== EVENT_STREAM) {
      metrics.countRequest({ method: request.method, route, status: reply.raw.statusCode }, reply.elapsedTime)
    }
    countBytes(request.raw.socket)
    done()
  })
}
