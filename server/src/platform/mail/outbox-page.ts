import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { isLoopback } from '../../config.ts'
import type { Services } from '../../context.ts'
import { escapeHtml } from '../format.ts'
import { isLocalRequest } from '../http/client-address.ts'
import { type OutboxMail, OutboxMailer, parseMail } from './outbox.ts'

const LISTED = 100
const NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z-[a-z-]+\.eml$/
const LINK = /(https?:\/\/\S*[^\s.,])/
/** The link of a mail is alone on its line. */
const ACTION = /^https?:\/\/\S+$/m

/**
 * Serves the outbox in the browser, for trying the product on one's own machine. The mails open accounts, so the pages exist
 * only if mail goes to the outbox, the public address is this machine, and the request comes from this machine.
 */
export function outboxPages(app: FastifyInstance, { config, mailer }: Pick<Services, 'config' | 'mailer'>): void {
  if (!(mailer instanceof OutboxMailer) || !isLoopback(config.publicUrl)) return
  const { directory } = mailer

  app.get('/outbox', async (request, reply) => {
    if (!isLocalRequest(request)) return reply.callNotFound()
    const names = (await readdir(directory).catch(() => [])).filter((name) => NAME.test(name))
    const newest = names.sort().reverse().slice(0, LISTED)
    const mails = await Promise.all(newest.map(async (name) => ({ name, mail: await readMail(directory, name) })))
    return sendPage(reply, listPage(mails, names.length))
  })

  app.get<{ Params: { name: string } }>('/outbox/:name', async (request, reply) => {
    const { name } = request.params
    const mail = isLocalRequest(request) && NAME.test(name) && (await readMail(directory, name).catch(() => undefined))
    return mail ? sendPage(reply, mailPage(mail)) : reply.callNotFound()
  })
}

async function readMail(directory: string, name: string): Promise<OutboxMail> {
  return parseMail(await readFile(join(directory, name), 'utf8'))
}

function sendPage(reply: FastifyReply, page: string): FastifyReply {
  return reply.type('text/html; charset=utf-8').header('cache-control', 'no-store').send(page)
}

function listPage(mails: { name: string; mail: OutboxMail }[], total: number): string {
  const items = mails.map(({ name, mail }) => {
    const link = ACTION.exec(mail.text)?.[0]
    return `<li><h2><a href="/outbox/${name}">${escapeHtml(mail.subject)}</a></h2>
<p>${describe(mail)}</p>${link ? `\n<p>${anchor(link)}</p>` : ''}</li>`
  })
  const more = total > mails.length ? `<p>The newest ${mails.length} of ${total} mails.</p>` : ''
  const list = items.length > 0 ? `<ul>${items.join('\n')}</ul>${more}` : '<p>No mail has been sent yet.</p>'
  return page(
    'Outbox',
    `<p>No mail server is configured, so mails are kept here instead of being sent. Newest first.</p>\n${list}`,
  )
}

function mailPage(mail: OutboxMail): string {
  const text = mail.text.split(LINK).map((part, index) => (index % 2 === 1 ? anchor(part) : escapeHtml(part)))
  const link = ACTION.exec(mail.text)?.[0]
  return page(
    mail.subject,
    `<p>${describe(mail)}</p>${link ? `\n<p>${anchor(link)}</p>` : ''}
<div class="parts">
<section><h2>As HTML</h2>${frame(mail)}</section>
<section><h2>As text</h2><pre>${text.join('')}</pre></section>
</div>
<p><a href="/outbox">All mails</a></p>`,
  )
}

/**
 * Shows the HTML of a mail in isolation, as a mail program would: without scripts, forms and an origin. This page's policy
 * applies too, so it fetches nothing from elsewhere. Its links open in a new tab.
 */
function frame({ subject, html }: OutboxMail): string {
  const title = `The mail: ${escapeHtml(subject)}`
  return `<iframe title="${title}" sandbox="allow-popups allow-popups-to-escape-sandbox" srcdoc="${escapeHtml(html)}"></iframe>`
}

function describe({ to, date }: OutboxMail): string {
  return `To ${escapeHtml(to)}, ${escapeHtml(date)}`
}

function anchor(url: string): string {
  return `<a href="${escapeHtml(url)}">${escapeHtml(url)}</a>`
}

/** Renders a page that loads nothing but the logo, in the colours of `web/src/app/colors.ts`. */
const STYLE = `
:root { color-scheme: light dark; font: 1rem/1.5 "Hanken Grotesk Variable", system-ui, sans-serif;
  --wall: light-dark(#f6f0ec, #0a110f); --panel: light-dark(#fff, #131c18); --text: light-dark(#2a2320, #eef2ee);
  --text-2: light-dark(#6b5f59, #aab7b0); --line: light-dark(#e6ddd8, #202b26); --primary: light-dark(#1d5142, #8bc4ad);
  --focus: light-dark(#c97a12, #fcc35d) }
body { margin: 0; background: var(--wall); color: var(--text); overflow-wrap: anywhere }
header { display: flex; align-items: center; gap: 12px; padding: 16px 24px; font: 1.5rem/1.25 "Young Serif", Georgia, serif }
header img { width: 24px; height: 28px }
main { max-width: 80rem; margin: 0 auto; padding: 28px; border: 1px solid var(--line); border-radius: 28px; background: var(--panel) }
h1 { margin: 0 0 8px; font: 400 1.5rem/1.25 "Young Serif", Georgia, serif } h2 { font-size: 1rem; margin: 0 } p { margin: 4px 0; color: var(--text-2) }
a { color: var(--primary); border-radius: 4px } a:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px }
ul { list-style: none; margin: 20px 0 0; padding: 0 } li { padding: 14px 0; border-top: 1px solid var(--line) }
.parts { display: grid; gap: 24px; margin: 24px 0 }
@media (min-width: 78rem) { .parts { grid-template-columns: minmax(0, 1fr) 36rem } }
@media (max-width: 36rem) { header { padding: 12px 16px } main { padding: 20px 16px; border-width: 1px 0; border-radius: 20px 20px 0 0 } }
iframe { width: 100%; height: 46rem; margin: 8px 0; border: 1px solid var(--line); border-radius: 16px }
pre { white-space: pre-wrap; font: .8125rem/1.5 ui-monospace, monospace; margin: 8px 0 }`

function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><link rel="icon" href="/favicon.svg">
<title>${escapeHtml(title)} - Alcove</title><style>${STYLE}</style></head>
<body><header><img src="/favicon.svg" alt="">Alcove</header><main><h1>${escapeHtml(title)}</h1>\n${content}</main></body></html>`
}
