import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config.ts'

const POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  // Mantine sets sizes and positions as inline styles.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "font-src 'self'",
  "worker-src 'self' blob:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/**
 * What every answer tells browsers: run our scripts alone, never inside another's frame, guess no types. The same for
 * all, so they are put together once.
 */
export function addSecurityHeaders(app: FastifyInstance, config: Config): void {
  const headers: Record<string, string> = {
    'content-security-policy': POLICY,
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  }
  if (config.publicUrl.startsWith('https:')) headers['strict-transport-security'] = 'max-age=31536000'
  app.addHook('onRequest', (request, reply, next) => {
    reply.headers(headers)
    // What is shared by a link is for whoever has the link, not for search engines.
    if (/^\/(s|api)\//.test(request.url)) reply.header('x-robots-tag', 'noindex, nofollow')
    next()
  })
}
