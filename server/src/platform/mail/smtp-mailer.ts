import { createTransport } from 'nodemailer'
import type { Config } from '../../config.ts'
import { PRODUCT_NAME } from './brand.ts'
import type { Mail, Mailer } from './mailer.ts'

/**
 * How long to wait for the mail server before the mail is retried later. The server may have closed a connection that was kept
 * open: then a new one is opened, once.
 */
const CONNECTION_OPTIONS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000, maxRequeues: 1 }

/** Sends mails through the operator's mail server, over connections that stay open for a while. */
export class SmtpMailer implements Mailer {
  readonly isImmediate = false
  readonly #transport
  readonly #address: string

  constructor({ smtpUrl, supportEmail }: Pick<Config, 'smtpUrl' | 'supportEmail'>) {
    this.#transport = createTransport(
      // The content of mails is text. Nothing in it may name a file or an address to be fetched.
      { url: smtpUrl, pool: true, disableFileAccess: true, disableUrlAccess: true, ...CONNECTION_OPTIONS },
      { headers: { 'Auto-Submitted': 'auto-generated' } },
    )
    this.#address = supportEmail
  }

  async send({ to, subject, text, html, senderName = PRODUCT_NAME, replyTo }: Mail): Promise<void> {
    const from = { name: senderName, address: this.#address }
    // As an object, the address is one recipient, whatever it contains.
    await this.#transport.sendMail({
      ...{ from, to: { name: '', address: to }, subject, text, html },
      ...(replyTo !== undefined && { replyTo: { name: '', address: replyTo } }),
    })
  }

  async verify(): Promise<void> {
    await this.#transport.verify()
  }

  async close(): Promise<void> {
    this.#transport.close()
  }
}
