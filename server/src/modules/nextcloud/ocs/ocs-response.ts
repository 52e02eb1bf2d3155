import type { FastifyReply, FastifyRequest } from 'fastify'
import { type OcsValue, writeXml } from './write-xml.ts'

interface Outcome {
  /** The HTTP status. */
  status: number
  /** Why the call failed. Undefined if it succeeded. */
  failure?: string
  /** Whether there is no such call. Version 1 has a code of its own for that. */
  isUnknownCall?: boolean
  data?: OcsValue
}

/**
 * Sends a response of OCS, Nextcloud's API, in the version and format of the request: XML, unless JSON is requested by `format=json`
 * (desktop, Android) or by `Accept` (iOS).
 */
export function sendOcs(request: FastifyRequest, reply: FastifyReply, outcome: Outcome): FastifyReply {
  const isFirst = request.url.startsWith('/ocs/v1.php')
  const { status, failure, data = [], isUnknownCall = false } = outcome
  const ocs = {
    meta: {
      status: failure === undefined ? 'ok' : 'failure',
      statuscode: isFirst ? toFirstVersion(status, isUnknownCall) : status,
      message: failure ?? 'OK',
      ...(isFirst && { totalitems: '', itemsperpage: '' }),
    },
    data,
  }
  // In version 1 'not found' is only in the body.
  void reply.status(isFirst && status === 404 ? 200 : status)
  if (status === 401) void reply.header('www-authenticate', 'Basic realm="Alcove", charset="UTF-8"')
  const { format } = request.query as { format?: unknown }
  const isJson = format === 'json' || (format !== 'xml' && request.headers.accept?.includes('application/json'))
  // JSON as text: `compressJson` and clients get it as it is.
  if (isJson) return reply.type('application/json; charset=utf-8').send(JSON.stringify({ ocs }))
  return reply.type('application/xml; charset=utf-8').send(writeXml('ocs', ocs))
}

/** Returns the status code of version 1, which has numbers of its own. */
function toFirstVersion(status: number, isUnknownCall: boolean): number {
  if (isUnknownCall && status === 404) return 998
  return { 200: 100, 401: 997 }[status] ?? status
}
