import type { FastifyRequest } from 'fastify'
import { isLoopback } from '../../config.ts'

/**
 * Whether a request comes from this machine. The host is looked at too: a stranger's name that was made to point here would
 * let a stranger's page read what is meant for whoever sits at it.
 */
export function isFromHere(request: FastifyRequest): boolean {
  const origin = `http://${request.headers.host}`
  return isLoopbackAddress(request.ip) && URL.canParse(origin) && isLoopback(origin)
}

function isLoopbackAddress(ip: string): boolean {
  return ip === '::1' || /^(::ffff:)?127\./.test(ip)
}
