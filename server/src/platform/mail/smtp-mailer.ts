import { createTransport } from 'nodemailer'
import type { Config } from '../../config.ts'
import type { Mail, Mailer } from './mailer.ts'

/**
 * A mail server that is silent for longer is broken, and the mail is tried again later. A connection that was kept open
 * may have been closed by the server meanwhile: then a new one is opened, once.
 */
const CONNECTION_OPTIONS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000, maxRequeues: 1 }

/** Hands mails to the operator's mail server, over connections that stay open for a while. */
export class SmtpMailer implements Mailer {
  readonly isImmediate = false
  readonly #transport

  constructor({ smtpUrl, supportEmail }: Pick<Config, 'smtpUrl' | 'supportEmail'>) {
    this.#transport = createTransport(
      // What the mails say is text alone: nothing in it may name a file or an address to be fetched.
      { url: smtpUrl, pool: true, disableFileAccess: true, disableUrlAccess: true, ...CONNECTION_OPTIONS },
      { from: { name: 'Alcove', address: supportEmail }, headers: { 'Auto-Submitted': 'auto-generated' } },
    )
  }

  async send({ to, subject, text, html }: Mail): Promise<void> {
    // As an object, the address is one recipient, whatever stands in it.
    await this.#transport.sendMail({ to: { name: '', address: to }, subject, text, html })
  }

  async close(): Promise<void> {
    this.#transport.close()
  }
}
