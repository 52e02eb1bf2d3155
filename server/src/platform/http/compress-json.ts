import { pipeline, Readable } from 'node:stream'
import { constants, createBrotliCompress, createGzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'

/** Smaller responses fit into one packet anyway. Bytes. */
const WORTH_IT = 1024

/**
 * Compresses JSON of more than a kibibyte for clients that accept it, while it is sent and off the event loop. Responses with
 * secrets are compressed too: guessing them from the length (BREACH) needs another site that can send requests with the user's
 * session, which is impossible without cookies (docs/threat-model.md).
 */
export function compressJson(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const isLong = payload instanceof Readable || (typeof payload === 'string' && payload.length > WORTH_IT)
    if (!isLong || request.method === 'HEAD' || !String(reply.getHeader('content-type')).startsWith('application/json'))
      return done(null, payload)
    if (reply.hasHeader('content-encoding')) return done(null, payload)
    addVary(reply)
    const encoding = chooseEncoding(request.headers['accept-encoding'])
    if (!encoding) return done(null, payload)
    reply.header('content-encoding', encoding).removeHeader('content-length')
    const source = payload instanceof Readable ? payload : Readable.from([payload], { objectMode: false })
    const compressor = createCompressor(encoding)
    // A failure of either ends both.
    pipeline(source, compressor, () => {})
    done(null, compressor)
  })
}

/** At these levels, compressing a list of ten thousand items takes about as long as creating it. */
function createCompressor(encoding: Encoding) {
  if (encoding === 'gzip') return createGzip({ level: 3 })
  return createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 3 } })
}

function addVary(reply: { getHeader(name: string): unknown; header(name: string, value: string): unknown }): void {
  const vary = reply.getHeader('vary')
  reply.header('vary', vary === undefined ? 'Accept-Encoding' : `${vary}, Accept-Encoding`)
}

/** The content codings that the server uses (RFC 9110, section 8.4.1). */
export type Encoding = 'br' | 'gzip'

/** Returns brotli rather than gzip, or undefined if the client accepts neither. */
export function chooseEncoding(header: string | string[] | undefined): Encoding | undefined {
  const accepted = String(header ?? '')
    .toLowerCase()
    .split(',')
    .map((part) => part.trim())
    .filter((part) => !/;\s*q=0(\.0*)?$/.test(part))
    .map((part) => part.replace(/;.*$/, '').trim())
  return (['br', 'gzip'] as const).find((encoding) => accepted.includes(encoding))
}
