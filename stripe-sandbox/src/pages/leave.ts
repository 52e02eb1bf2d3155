import type { FastifyReply } from 'fastify'
import type { World } from '../world.ts'
import { html } from './html.ts'
import { logo, page } from './page.ts'

export function sendPage(reply: FastifyReply, text: string, status = 200): FastifyReply {
  return reply.status(status).type('text/html; charset=utf-8').header('cache-control', 'no-store').send(text)
}

/**
 * Sends the browser on. The address is always one that the session was made with. To another origin no form may
 * redirect (the product's policy says so), so the page itself goes on from there.
 */
export function leave(reply: FastifyReply, url: string, { pagesUrl }: World, base: string): FastifyReply {
  if (new URL(url).origin === new URL(pagesUrl).origin) return reply.redirect(url, 303)
  const content = html`<main class="message">${logo}<h1>Thank you</h1><p>Your payment was received.</p>
<p><a class="button primary" href="${url}" data-follow>Back to Alcove</a></p></main>`
  return sendPage(reply, page({ title: 'Thank you', base, content, isCentred: true }))
}
