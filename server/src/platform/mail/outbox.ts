import { randomBytes, randomUUID } from 'node:crypto'
import { link, mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../clock.ts'
import { PRODUCT_NAME } from './brand.ts'
import type { Mail, Mailer } from './mailer.ts'
import { oneLine } from './write-letter.ts'

/** The mailer without a mail server: each mail becomes a file, named by its time and kind, and its link is logged. */
export class OutboxMailer implements Mailer {
  readonly isImmediate = true
  readonly directory: string
  readonly #from: string
  readonly #clock: Clock
  readonly #log: FastifyBaseLogger
  /** The time in the name of the latest mail. Names sort in the order of sending, even within a millisecond. */
  #latest = 0

  constructor(directory: string, from: string, clock: Clock, log: FastifyBaseLogger) {
    this.directory = directory
    this.#from = from
    this.#clock = clock
    this.#log = log
  }

  async send(mail: Mail): Promise<void> {
    await mkdir(this.directory, { recursive: true, mode: 0o700 })
    const draft = join(this.directory, `.${randomBytes(6).toString('hex')}`)
    try {
      await writeDurably(draft, formatMail(mail, this.#from, new Date(this.#clock.now())))
      const name = await this.#place(draft, mail.kind)
      this.#log.info({ mail: name, to: mail.to, link: mail.link }, 'a mail was written to the outbox')
    } finally {
      await rm(draft, { force: true })
    }
  }

  async close(): Promise<void> {}

  async #place(draft: string, kind: string): Promise<string> {
    this.#latest = Math.max(this.#clock.now(), this.#latest + 1)
    const name = `${new Date(this.#latest).toISOString().replace(/[:.]/g, '-')}-${kind}.eml`
    try {
      // A link, not a rename: it fails if another server has written a mail of that name.
      await link(draft, join(this.directory, name))
      return name
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      return this.#place(draft, kind)
    }
  }
}

async function writeDurably(path: string, content: string): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** What can be read back from a mail in the outbox. */
export type OutboxMail = Pick<Mail, 'to' | 'subject' | 'text' | 'html'> & { date: string }

/**
 * Formats a mail as a file that any mail program opens. Its text isn't encoded, unlike in mails that pass mail servers, which
 * would break a link over two lines. So people and scripts find the link with any text tool.
 */
export function formatMail(mail: Mail, from: string, date: Date): string {
  const { to, subject, text, html, senderName = PRODUCT_NAME, replyTo } = mail
  // Random, so that no text can contain the boundary.
  const boundary = `=_${randomUUID()}`
  const part = (type: string, content: string) =>
    `--${boundary}\nContent-Type: text/${type}; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n${content}`
  const head = [
    `From: ${formatName(senderName)} <${oneLine(from)}>`,
    ...(replyTo === undefined ? [] : [`Reply-To: ${oneLine(replyTo)}`]),
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

/** Parses a file that `formatMail` wrote. */
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

/** Formats the name of a sender, which is quoted if it has more than words (RFC 5322, section 3.4). */
function formatName(name: string): string {
  const encoded = encodeWords(oneLine(name))
  return encoded !== name || /^[\w ]+$/.test(name) ? encoded : `"${name.replace(/["\\]/g, '\\$&')}"`
}

/** This many bytes make an encoded word of 72 characters; 75 are allowed. */
const BYTES_IN_WORD = 45
const ENCODED = /=\?utf-8\?B\?([\w+/=]*)\?=/gi

/** Encodes text for a mail header, which may contain only ASCII (RFC 2047). */
function encodeWords(text: string): string {
  // Text that looks like an encoded word would be decoded by readers.
  if (/^[\x20-\x7e]*$/.test(text) && !text.includes('=?')) return text
  const words = ['']
  for (const sign of text) {
    const word = words.at(-1) + sign
    if (Buffer.byteLength(word) <= BYTES_IN_WORD) words[words.length - 1] = word
    else words.push(sign)
  }
  return words.map((word) => `=?utf-8?B?${Buffer.from(word).toString('base64')}?=`).join('\n ')
}

/** Decodes the output of `encodeWords`. Line breaks between words are not part of the text. */
function decodeWords(text: string): string {
  return text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(ENCODED, (_word, content) => Buffer.from(content, 'base64').toString())
}
