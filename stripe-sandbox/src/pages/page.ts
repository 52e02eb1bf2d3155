import type { FastifyReply } from 'fastify'
import type { World } from '../world.ts'

/** HTML that needs no escaping. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toString(): string {
    return this.text
  }
}

type Value = Html | string | number | false | null | undefined | readonly Value[]

/** A template tag that escapes every value that isn't `Html`. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  return new Html(parts.reduce((page, part, index) => page + toText(values[index - 1]) + part))
}

function toText(value: Value): string {
  if (value instanceof Html) return value.text
  if (Array.isArray(value)) return value.map(toText).join('')
  if (value === false || value === null || value === undefined) return ''
  return String(value).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

interface PageOptions {
  title: string
  /** The path of the hosted pages, like `/stripe-sandbox`. */
  base: string
  content: Html
}

/** Returns a page with the 'Test payments' mark at its top. */
export function page({ title, base, content }: PageOptions): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} - Alcove</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${base}/assets/pages.css">
<script src="${base}/assets/pages.js" defer></script>
</head>
<body>
<aside aria-label="Test payments"><strong>Test payments</strong>
<span>No real card is charged. <b>4242 4242 4242 4242</b> pays, <b>4000 0000 0000 0002</b> is declined.</span></aside>
${content}
</body>
</html>
`.text
}

/** Returns a page that shows a message and a way back. */
export function messagePage(options: { base: string; title: string; text: string; backUrl?: string | null }): string {
  const { base, title, text, backUrl } = options
  const back = backUrl && html`<p><a href="${backUrl}">Back to Alcove</a></p>`
  return page({ title, base, content: html`<main><h1>${title}</h1><p>${text}</p>${back}</main>` })
}

export function sendPage(reply: FastifyReply, text: string, status = 200): FastifyReply {
  return reply.status(status).type('text/html; charset=utf-8').header('cache-control', 'no-store').send(text)
}

/**
 * Sends the browser to an address of the session. The product's content security policy forbids forms to redirect to
 * another origin, so for those a page follows its own link.
 */
export function leave(reply: FastifyReply, url: string, { pagesUrl }: World, base: string): FastifyReply {
  if (new URL(url).origin === new URL(pagesUrl).origin) return reply.redirect(url, 303)
  const content = html`<main><h1>Thank you</h1><p>Your payment was received.</p>
<p><a href="${url}" data-follow>Back to Alcove</a></p></main>`
  return sendPage(reply, page({ title: 'Thank you', base, content }))
}
