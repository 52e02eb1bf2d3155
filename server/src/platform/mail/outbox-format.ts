import type { Mail } from './mailer.ts'

/** What can be read back from a mail in the outbox. */
export type OutboxMail = Pick<Mail, 'to' | 'subject' | 'text'> & { date: string }

const BOUNDARY = '=_alcove_part'

/**
 * A mail as a file that any mail program opens. Its text stands in it as it is, unlike on the way through mail servers,
 * which would break a link over two lines: so a person or a script finds the link with any text tool.
 */
export function formatMail({ to, subject, text, html }: Mail, from: string, date: Date): string {
  const part = (type: string, content: string) =>
    `--${BOUNDARY}\nContent-Type: text/${type}; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n${content}`
  const head = [
    `From: Alcove <${from}>`,
    `To: ${to}`,
    `Subject: ${subject}`,
    `Date: ${date.toUTCString()}`,
    'Auto-Submitted: auto-generated',
    'MIME-Version: 1.0',
    `Content-Type: multipart/alternative; boundary="${BOUNDARY}"`,
  ]
  return `${head.join('\n')}\n\n${part('plain', text)}\n${part('html', html)}\n--${BOUNDARY}--\n`
}

/** Reads what `formatMail` wrote. */
export function parseMail(file: string): OutboxMail {
  const [head = '', ...parts] = file.split(`--${BOUNDARY}`)
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(head)?.[1] ?? ''
  const plain = parts[0] ?? ''
  const text = plain.slice(plain.indexOf('\n\n') + 2)
  return { to: field('To'), subject: field('Subject'), date: field('Date'), text: text.trimEnd() }
}
