import { errorStatus } from '@alcove/contract/errors'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'
import { describeError } from '../../platform/http/error-handler.ts'
import { escapeXml } from '../../platform/http/escape-xml.ts'
import { drainRequest } from '../../platform/http/request-bodies.ts'
import { ALLOWED } from './describe-server.ts'
import { DAV, writeElement, XML_TYPE } from './write-xml.ts'

/** A refusal with a status of WebDAV and, where RFC 4918 defines one, the condition that was violated. */
export class DavError extends AppError {
  readonly status: number
  readonly condition: string | undefined

  constructor(status: number, message: string, condition?: string) {
    super(status === 404 ? 'not_found' : status === 403 ? 'forbidden' : 'state_conflict', message)
    this.name = 'DavError'
    this.status = status
    this.condition = condition
  }
}

export function conflict(message: string): DavError {
  return new DavError(409, message)
}

export function preconditionFailed(): DavError {
  return new DavError(412, 'A condition of this request is not met: the resource has changed, exists or is missing.')
}

/** The statuses of errors for which WebDAV has a better one than the API. */
const davStatus: Partial<Record<string, number>> = { quota_exceeded: 507, item_limit: 507, size_mismatch: 400 }

/** The conditions of RFC 4918, section 16, and RFC 4331, section 6. */
const conditions: Partial<Record<string, string>> = {
  quota_exceeded: 'quota-not-exceeded',
  storage_full: 'sufficient-disk-space',
  locked: 'lock-token-submitted',
}

/** What the errors are called in Nextcloud, where its clients tell them apart by that. */
const exceptions: Partial<Record<string, string>> = { maintenance: 'Sabre\\DAV\\Exception\\ServiceUnavailable' }

/** Sends any thrown error as WebDAV does: a status, and a small XML body with a readable message. */
export function handleDavError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { body, retryAfterSeconds } = describeError(error)
  const status = error instanceof DavError ? error.status : (davStatus[body.code] ?? errorStatus[body.code])
  if (status >= 500 && body.code === 'internal') request.log.error({ err: error }, 'a WebDAV request failed')
  if (retryAfterSeconds !== undefined) reply.header('retry-after', Math.ceil(retryAfterSeconds))
  if (status === 405) reply.header('allow', ALLOWED)
  if (status === 401) reply.header('www-authenticate', 'Basic realm="Alcove", charset="UTF-8"')
  reply.header('cache-control', 'no-store')
  // A client that waits for `100 Continue` doesn't send the body after a refusal, so the next bytes are no longer clear.
  if (request.headers.expect !== undefined && !request.raw.readableEnded) reply.header('connection', 'close')
  else {
    drainRequest(request.raw)
    reply.removeHeader('connection')
  }
  const condition = error instanceof DavError ? error.condition : conditions[body.code]
  reply
    .status(status)
    .type(XML_TYPE)
    .send(writeError(request, body.message, { condition, exception: exceptions[body.code] }))
}

/** Writes the body of an error. Clients of ownCloud and Nextcloud show the message, which they expect in this namespace. */
function writeError(
  { url }: FastifyRequest,
  message: string,
  { condition, exception }: { condition: string | undefined; exception: string | undefined },
): string {
  // RFC 4918 requires an address in these two.
  const isOfLock = condition === 'lock-token-submitted' || condition === 'no-conflicting-lock'
  const content = isOfLock ? `<D:href>${escapeXml(url)}</D:href>` : ''
  const named = condition === undefined ? '' : writeElement({ namespace: DAV, local: condition }, content)
  const thrown = exception === undefined ? '' : `<s:exception>${exception}</s:exception>`
  return `<?xml version="1.0" encoding="utf-8"?>\n<D:error xmlns:D="DAV:" xmlns:s="http://sabredav.org/ns">${named}${thrown}<s:message>${escapeXml(message)}</s:message></D:error>\n`
}
