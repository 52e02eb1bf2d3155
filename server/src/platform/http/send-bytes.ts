import { pipeline } from 'node:stream/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '../../context.ts'
import { AppError } from '../../errors.ts'
import { parseRange, type RequestedRange } from './byte-range.ts'
import type { BlobResponse, BytesResponse, StreamResponse } from './bytes-response.ts'
import { callerOf } from './client-network.ts'
import { findReprDigest } from './repr-digest.ts'

const OF_THE_BYTES = [
  'content-type',
  'content-length',
  'content-range',
  'content-disposition',
  'accept-ranges',
  'etag',
  'last-modified',
  'cache-control',
  'repr-digest',
]

/** Sends bytes so that they cannot run as a page of ours, with ranges and conditions where there is a blob behind them. */
export async function sendBytes(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: BytesResponse,
): Promise<FastifyReply> {
  if (answer.kind === 'stream') return sendStream(services, request, reply, answer)
  describeBytes(reply, answer)
  return sendBlob(services, request, reply, answer)
}

function describeBytes(reply: FastifyReply, answer: BytesResponse): void {
  reply.headers({
    'content-type': harmlessType(answer.mimeType),
    'content-disposition': describeDisposition(answer),
    // Whatever it is, a browser must not take it for a page of ours: no scripts, no forms, no origin.
    'content-security-policy':
      "sandbox; default-src 'none'; style-src 'unsafe-inline'; media-src 'self'; img-src 'self'",
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
  })
}

async function sendBlob(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: BlobResponse,
): Promise<FastifyReply> {
  const etag = `"${answer.blobKey}"`
  const lastModified = new Date(answer.updatedAt).toUTCString()
  const cacheControl = answer.isImmutable ? 'private, max-age=31536000, immutable' : 'private, no-cache'
  reply.headers({ 'accept-ranges': 'bytes', etag, 'last-modified': lastModified, 'cache-control': cacheControl })
  if (isNotModified(request, etag, answer.updatedAt)) return reply.status(304).send()

  const isRangeValid = request.headers['if-range'] === undefined || request.headers['if-range'] === etag
  const range = parseRange(isRangeValid ? request.headers.range : undefined, answer.size)
  if (range === 'unsatisfiable') {
    reply.header('content-range', `bytes */${answer.size}`)
    throw new AppError('range_not_satisfiable', 'The file has no such part.')
  }
  const digest = await findReprDigest(services.db, answer.blobKey)
  if (digest !== undefined) reply.header('repr-digest', digest)
  if (range.start === 0 && request.method !== 'HEAD') await answer.onStart?.()
  const behindFront = isLeftToFront(services, request, range)
    ? services.blobs.internalAddress(answer.blobKey)
    : undefined
  if (behindFront !== undefined) {
    // Who sends the bytes says whether parts of them can be asked for.
    return reply.removeHeader('accept-ranges').header('x-accel-redirect', behindFront).send()
  }
  if (range.isPart) {
    reply.status(206).header('content-range', `bytes ${range.start}-${range.end}/${answer.size}`)
  }
  const length = range.end + 1 - range.start
  reply.header('content-length', length)
  if (request.method === 'HEAD') {
    startRaw(reply)
    reply.raw.end()
    return reply
  }
  let hasBegun = false
  try {
    await services.blobs.send(answer.blobKey, range, () => {
      hasBegun = true
      startRaw(reply)
      return reply.raw
    })
    reply.raw.end()
  } catch (error) {
    if (!hasBegun) {
      // What has been said of the bytes is not true of the error that is told instead.
      for (const name of OF_THE_BYTES) reply.removeHeader(name)
      throw error
    }
    // The head has gone out: all that is left is to end the connection, so that the client sees a part missing.
    if (!request.raw.destroyed) request.log.error({ err: error }, 'sending a file failed')
    reply.raw.destroy()
  }
  return reply
}

async function sendStream(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: StreamResponse,
): Promise<FastifyReply> {
  const isMade = answer.isLimited && request.method !== 'HEAD'
  const leave = isMade ? services.zipsAtOnce.enter(callerOf(request.ip)) : undefined
  try {
    return await pipeStream(request, reply, answer)
  } finally {
    leave?.()
  }
}

async function pipeStream(request: FastifyRequest, reply: FastifyReply, answer: StreamResponse): Promise<FastifyReply> {
  if (request.method !== 'HEAD') await answer.onStart?.()
  describeBytes(reply, answer)
  reply.header('cache-control', answer.keptFor ? `private, max-age=${answer.keptFor}` : 'private, no-store')
  startRaw(reply)
  if (request.method === 'HEAD') {
    reply.raw.end()
    return reply
  }
  await pipeline(answer.open(), reply.raw).catch((error: unknown) => {
    if (!request.raw.destroyed) request.log.error({ err: error }, 'sending a stream failed')
    reply.raw.destroy()
  })
  return reply
}

/**
 * Whether the nginx in front of us sends the bytes. It has rules of its own for several ranges, ranges that make no sense and
 * conditions, so it is left what needs no judgement: a whole file, or one part of it. And only what it has passed on itself:
 * nobody else is to learn an internal address.
 */
function isLeftToFront({ config }: Services, request: FastifyRequest, range: RequestedRange): boolean {
  if (config.sendFiles !== 'nginx' || request.method !== 'GET') return false
  const { range: requested, 'if-match': ifMatch, 'if-unmodified-since': ifUnmodified } = request.headers
  if (ifMatch !== undefined || ifUnmodified !== undefined) return false
  const isPassedOn = (request.ips?.length ?? 0) > 1
  return isPassedOn && (requested === undefined || range.isPart)
}

/** Takes the response over from the framework, with the status and headers that stand. */
function startRaw(reply: FastifyReply): void {
  reply.hijack()
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) reply.raw.setHeader(name, value)
  reply.raw.statusCode = reply.statusCode
}

/** RFC 9110, section 13.2.2: a date counts only where no tag is given. Dates know whole seconds. */
function isNotModified(request: FastifyRequest, etag: string, updatedAt: number): boolean {
  const { 'if-none-match': conditions, 'if-modified-since': since } = request.headers
  if (conditions === undefined) return since !== undefined && Math.floor(updatedAt / 1000) * 1000 <= Date.parse(since)
  return conditions === '*' || conditions.split(',').some((one) => one.trim().replace(/^W\//, '') === etag)
}

/**
 * Our pages may load scripts and styles from this origin. A file of a user must not be one, wherever its address is put: as
 * plain text with 'nosniff' it is neither.
 */
function harmlessType(mimeType: string): string {
  return /^text\/(javascript|css)$/.test(mimeType) ? 'text/plain' : mimeType
}

/**
 * What a browser shows by itself without becoming a page of whoever wrote the file. A front that sends the bytes in our
 * place passes on the type and the disposition, but may drop the policy: so anything else is for saving, wherever it goes.
 */
const SHOWN = /^(audio|video)\/|^image\/(?!svg)|^(application\/pdf|text\/plain)$/

/** RFC 6266: an ASCII name for old clients, the real one in UTF-8 (RFC 8187). */
function describeDisposition({ filename, mimeType, ...answer }: BytesResponse): string {
  const disposition = answer.kind === 'blob' && SHOWN.test(mimeType) ? answer.disposition : 'attachment'
  const ascii = filename.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(filename).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${disposition}; filename="${ascii}"; filename*=UTF-8''${encoded}`
}
