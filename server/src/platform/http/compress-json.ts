import { Readable } from 'node:stream'
import { constants, createBrotliCompress, createGzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { chooseEncoding, type Encoding } from './choose-encoding.ts'

/** Below this a response fits into one packet anyway. Bytes. */
const WORTH_IT = 1024

/**
 * Compresses JSON of more than a kibibyte for clients that accept it, while it is sent and off the event loop. Responses
 * that carry secrets may be compressed as well: what could be guessed from their length (BREACH) takes a stranger's page
 * that sends requests with the user's session, and there are no cookies by which a browser would (docs/threat-model.md).
 */
export function compressJson(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const isWorthIt = typeof payload === 'string' && payload.length > WORTH_IT && request.method !== 'HEAD'
    if (!isWorthIt || !String(reply.getHeader('content-type')).startsWith('application/json'))
      return done(null, payload)
    if (reply.hasHeader('content-encoding')) return done(null, payload)
    addVary(reply)
    const encoding = chooseEncoding(request.headers['accept-encoding'])
    if (!encoding) return done(null, payload)
    reply.header('content-encoding', encoding).removeHeader('content-length')
    done(null, Readable.from([payload], { objectMode: false }).pipe(createCompressor(encoding)))
  })
}

/** Levels at which a list of ten thousand items takes about as long to compress as to make. */
function createCompressor(encoding: Encoding) {
  if (encoding === 'gzip') return createGzip({ level: 3 })
  return createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 3 } })
}

function addVary(reply: { getHeader(name: string): unknown; header(name: string, value: string): unknown }): void {
  const vary = reply.getHeader('vary')
  reply.header('vary', vary === undefined ? 'Accept-Encoding' : `${vary}, Accept-Encoding`)
}
