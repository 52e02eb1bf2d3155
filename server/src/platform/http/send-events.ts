import { pipeline } from 'node:stream/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { EVENT_STREAM, type EventStream } from '../events/event-stream.ts'
import { startRaw } from './send-bytes.ts'

/** Sends a stream of server-sent events until the client disconnects or the stream ends. `open` isn't called for a HEAD request. */
export async function sendEvents(
  request: FastifyRequest,
  reply: FastifyReply,
  open: () => Promise<EventStream>,
): Promise<FastifyReply> {
  const stream = request.method === 'HEAD' ? undefined : await open()
  reply.headers({
    'content-type': EVENT_STREAM,
    // A proxy that compresses or buffers would hold events back. nginx reads the second header.
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
  })
  startRaw(reply)
  if (!stream) {
    reply.raw.end()
    return reply
  }
  try {
    await pipeline(stream, reply.raw)
  } catch {
    // Streams often end in the middle, because a tab was closed.
    reply.raw.destroy()
  } finally {
    // If the client has gone before this, `pipeline` leaves the stream as it is.
    stream.destroy()
  }
  return reply
}
