import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config.ts'
import { isCallPath } from './call-paths.ts'

/** With an operator's key the card form is Stripe's own: a script from there, which asks there and shows frames of its own. */
const STRIPE = {
  script: ' https://js.stripe.com https://*.js.stripe.com',
  connect: ' https://api.stripe.com',
  frame: ' https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com',
}
const NO_STRIPE = { script: '', connect: '', frame: '' }

function policyFor({ stripe: keys }: Config): string {
  const stripe = keys ? STRIPE : NO_STRIPE
  return [
    "default-src 'self'",
    `script-src 'self'${stripe.script}`,
    // Mantine sets sizes and positions as inline styles.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    // What the page itself has decrypted is read by the previewer like anything else.
    `connect-src 'self' blob:${stripe.connect}`,
    `frame-src 'self'${stripe.frame}`,
    "font-src 'self'",
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/**
 * What every answer tells browsers: run our scripts alone, never inside another's frame, guess no types. The same for
 * all, so they are put together once.
 */
export function addSecurityHeaders(app: FastifyInstance, config: Config): void {
  const headers: Record<string, string> = {
    'content-security-policy': policyFor(config),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), usb=()',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  }
  const isBehindTls = config.publicUrl.startsWith('https:')
  app.addHook('onRequest', (request, reply, next) => {
    reply.headers(headers)
    // Never over plain HTTP (RFC 6797, section 7.2): what a trusted proxy says it was asked over is looked at too.
    if (isBehindTls && request.protocol === 'https') reply.header('strict-transport-security', 'max-age=31536000')
    // What the API says is for who asked, at this moment; bytes say for themselves how long they may be kept.
    if (request.url.startsWith('/api/')) reply.header('cache-control', 'no-store')
    // What is shared by a link is for whoever has the link, not for search engines.
    if (/^\/(s|api)\//.test(request.url)) reply.header('x-robots-tag', 'noindex, nofollow')
    // At such an address a browser gets the page and everybody else the call (call-paths.ts).
    if (isCallPath(request.method, request.originalUrl)) reply.header('vary', 'Accept')
    next()
  })
}
