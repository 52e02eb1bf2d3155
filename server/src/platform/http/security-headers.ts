import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config.ts'
import { isCallPath } from './call-paths.ts'

/** With Stripe keys the card form is Stripe's own script, which sends requests to Stripe and shows frames from there. */
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
    // The previewer reads what the page has decrypted through blob addresses.
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
 * Adds the security headers to every response: only our scripts, no framing by others, no type sniffing. They are the same for all
 * responses, so they are built once.
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
    // Never over plain HTTP (RFC 6797, section 7.2). `request.protocol` respects the X-Forwarded-Proto of a trusted proxy.
    if (isBehindTls && request.protocol === 'https') reply.header('strict-transport-security', 'max-age=31536000')
    // API responses are for this caller and this moment. Responses with bytes set their own caching.
    if (request.url.startsWith('/api/')) reply.header('cache-control', 'no-store')
    // Shared links are for people who have the link, not for search engines.
    if (/^\/(s|api)\//.test(request.url)) reply.header('x-robots-tag', 'noindex, nofollow')
    // At these addresses browsers get the page and other clients the API (call-paths.ts).
    if (isCallPath(request.method, request.originalUrl)) reply.header('vary', 'Accept')
    next()
  })
}
