import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '../../context.ts'
import { AppError } from '../../errors.ts'
import type { ByteRange } from '../blobs/blob-store.ts'
import type { Database } from '../db/database.ts'
import { prepareQuery, type Value } from '../db/prepared-query.ts'
import { callerOf } from './client-address.ts'

/** Bytes to be sent: a stored blob, which supports range requests, or a stream that is generated while it is sent. */
export type BytesResponse = BlobResponse | StreamResponse

interface Started {
  /** Called before the first byte is sent, but not for a HEAD request, an unchanged file or a later range. */
  onStart?: () => Promise<void>
  /** Looked at every few seconds while the bytes are sent. Ends the response when it returns false. */
  isStillAllowed?: () => Promise<boolean>
}

export interface BlobResponse extends Started {
  kind: 'blob'
  blobKey: string
  size: number
  filename: string
  mimeType: string
  /** Whether the browser shows or saves the file. Anything it could render as a page is saved in any case. */
  disposition: 'inline' | 'attachment'
  /** The modification date of the bytes, in milliseconds since 1970. */
  modifiedAt: number
  /** Whether a requested range is ignored and everything sent. */
  isWhole?: boolean
  /** Whether the bytes at this address never change, so that browsers can cache them for good. */
  isImmutable?: boolean
  /** The SHA-256 of the bytes in hexadecimal, null if it is not computed yet. Looked up if undefined. */
  sha256?: string | null
}

export interface StreamResponse extends Started {
  kind: 'stream'
  filename: string
  mimeType: string
  /** How long browsers may cache it, in seconds; not at all if undefined. */
  keptFor?: number
  /** Whether each caller can have only a few of these streams at a time, because memory grows with their length. */
  isLimited?: boolean
  /** Called only if bytes are wanted, not for a HEAD request. */
  open: () => Readable
}

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

/** Sends bytes so that they can't run as a page of this origin. Blobs support range and conditional requests. */
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
    // A browser must not treat a user's file as a page of this origin: no scripts, no forms, no origin.
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
  const lastModified = new Date(answer.modifiedAt).toUTCString()
  const cacheControl = answer.isImmutable ? 'private, max-age=31536000, immutable' : 'private, no-cache'
  const ranges = answer.isWhole ? 'none' : 'bytes'
  reply.headers({ 'accept-ranges': ranges, etag, 'last-modified': lastModified, 'cache-control': cacheControl })
  if (isNotModified(request, etag, answer.modifiedAt)) return reply.status(304).send()

  const isRangeValid = request.headers['if-range'] === undefined || request.headers['if-range'] === etag
  const range = parseRange(isRangeValid && !answer.isWhole ? request.headers.range : undefined, answer.size)
  if (range === 'unsatisfiable') {
    reply.header('content-range', `bytes */${answer.size}`)
    throw new AppError('range_not_satisfiable', 'The requested range is beyond the end of the file.')
  }
  const sha256 = answer.sha256 === undefined ? await findSha256(services.db, answer.blobKey) : answer.sha256
  if (sha256) reply.header('repr-digest', reprDigestOf(sha256))
  if (range.start === 0 && request.method !== 'HEAD') await answer.onStart?.()
  const behindFront = isLeftToFront(services, request, range)
    ? services.blobs.internalAddress(answer.blobKey)
    : undefined
  if (behindFront !== undefined) {
    // nginx sends the bytes and says itself whether it supports ranges.
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
      // These headers describe the bytes, not the error that is sent instead.
      for (const name of OF_THE_BYTES) reply.removeHeader(name)
      throw error
    }
    // The headers are sent already. Closing the connection is the only way to show the client that bytes are missing.
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
  const leave = isMade ? services.zipLimiter.enter(callerOf(request.ip)) : undefined
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
 * Returns whether nginx in front of this server sends the bytes. It handles multiple ranges, invalid ranges and conditions in its
 * own way, so it only gets plain cases: a whole file or one range. And only for requests that it forwarded itself, since nobody
 * else may see an internal address.
 */
function isLeftToFront({ config }: Services, request: FastifyRequest, range: RequestedRange): boolean {
  if (config.sendFiles !== 'nginx' || request.method !== 'GET') return false
  const { range: requested, 'if-match': ifMatch, 'if-unmodified-since': ifUnmodified } = request.headers
  if (ifMatch !== undefined || ifUnmodified !== undefined) return false
  const isPassedOn = (request.ips?.length ?? 0) > 1
  return isPassedOn && (requested === undefined || range.isPart)
}

/** Takes over the response from Fastify, with the status and headers set so far. */
export function startRaw(reply: FastifyReply): void {
  reply.hijack()
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) reply.raw.setHeader(name, value)
  reply.raw.statusCode = reply.statusCode
}

/**
 * Implements RFC 9110, section 13.2.2: a date counts only without an entity tag. HTTP dates have whole seconds. The date must
 * be the same, as with nginx, since an earlier date may be that of a file which has replaced the one that the client has.
 */
function isNotModified(request: FastifyRequest, etag: string, modifiedAt: number): boolean {
  const { 'if-none-match': conditions, 'if-modified-since': since } = request.headers
  if (conditions === undefined) return since !== undefined && Math.floor(modifiedAt / 1000) * 1000 === Date.parse(since)
  return conditions === '*' || conditions.split(',').some((one) => one.trim().replace(/^W\//, '') === etag)
}

/**
 * Returns a content type under which a file can't be used as a script or a style sheet. Our pages may load both from this origin;
 * plain text with `nosniff` is neither.
 */
function harmlessType(mimeType: string): string {
  return /^text\/(javascript|css)$/.test(mimeType) ? 'text/plain' : mimeType
}

/**
 * Types that a browser can show without rendering the file as a page. A proxy that sends the bytes keeps the type and the
 * disposition but may drop the security policy, so everything else is sent as an attachment.
 */
const SHOWN = /^(audio|video)\/|^image\/(?!svg)|^(application\/pdf|text\/plain)$/

/** Writes `Content-Disposition` (RFC 6266): an ASCII name for old clients, the real one in UTF-8 (RFC 8187). */
function describeDisposition({ filename, mimeType, ...answer }: BytesResponse): string {
  const disposition = answer.kind === 'blob' && SHOWN.test(mimeType) ? answer.disposition : 'attachment'
  const ascii = filename.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(filename).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${disposition}; filename="${ascii}"; filename*=UTF-8''${encoded}`
}

type RequestedRange = ByteRange & { isPart: boolean }

/**
 * Parses a `Range` header for a representation of `size` bytes (RFC 9110, section 14). Returns the whole without a header, for
 * several ranges and for a malformed one, and 'unsatisfiable' for a single range beyond the end.
 */
export function parseRange(header: string | undefined, size: number): RequestedRange | 'unsatisfiable' {
  const whole = { start: 0, end: size - 1, isPart: false }
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '')
  if (!match) return whole
  const [, first = '', last = ''] = match
  if (first === '' && last === '') return whole
  if (first === '') {
    const length = Number(last)
    if (length === 0 || size === 0) return 'unsatisfiable'
    return { start: Math.max(0, size - length), end: size - 1, isPart: true }
  }
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < start) return whole
  if (start >= size) return 'unsatisfiable'
  return { start, end, isPart: true }
}

/** Returns the value of `Repr-Digest` (RFC 9530). */
function reprDigestOf(sha256: string): string {
  return `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`
}

async function findSha256(db: Database, blobKey: string): Promise<string | null | undefined> {
  const [blob] = (await findDigest(db, { key: blobKey })).rows
  return blob?.sha256
}

const findDigest = prepareQuery((db, value: Value<{ key: string }>) =>
  db.selectFrom('blobs').select('sha256').where('key', '=', value('key')),
)
