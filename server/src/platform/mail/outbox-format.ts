import { randomUUID } from 'node:crypto'
import { decodeWords, encodeWords } from './header-words.ts'
import type { Mail } from './mailer.ts'
import { oneLine } from './one-line.ts'

/** What can be read back from a mail in the outbox. */
export type OutboxMail = Pick<Mail, 'to' | 'subject' | 'text' | 'html'> & { date: string }

/**
 * A mail as a file that any mail program opens. Its text stands in it as it is, unlike on the way through mail servers,
 * which would break a link over two lines: so a person or a script finds the link with any text tool.
 */
export function formatMail({ to, subject, text, html }: Mail, from: string, date: Date): string {
  // Random, so that nothing in a text can end its part.
  const boundary = `=_${randomUUID()}`
  const part = (type: string, content: string) =>
    `--${boundary}\nContent-Type: text/${type}; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n${content}`
  const head = [
    `From: Alcove <${oneLine(from)}>`,
    `To: ${oneLine(to)}`,
    `Subject: ${encodeWords(oneLine(subject))}`,
    `Date: ${date.toUTCString()}`,
    `Message-ID: <${randomUUID()}@${oneLine(from).split('@').at(-1)}>`,
    'Auto-Submitted: auto-generated',
    'MIME-Version: 1.0',
    `Content-Type: multipart/alternative; boundary="${boundary}"`,
  ]
  return `${head.join('\n')}\n\n${part('plain', text)}\n${part('html', html)}\n--${boundary}--\n`
}

/** Reads what `formatMail` wrote. */
export function parseMail(file: string): OutboxMail {
  const head = file.slice(0, file.indexOf('\n\n'))
  const field = (name: string) => new RegExp(`^${name}: (.*(?:\n .*)*)$`, 'm').exec(head)?.[1] ?? ''
  const boundary = /boundary="(.*)"/.exec(field('Content-Type'))?.[1]
  const [text = '', html = ''] = file.split(`\n--${boundary}`).slice(1).map(contentOf)
  return { to: field('To'), subject: decodeWords(field('Subject')), date: field('Date'), text, html }
}

function contentOf(part: string): string {
  return part.slice(part.indexOf('\n\n') + 2).trimEnd()
}
