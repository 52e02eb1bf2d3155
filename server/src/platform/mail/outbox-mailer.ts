import { randomBytes } from 'node:crypto'
import { link, mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../clock.ts'
import type { Mail, Mailer } from './mailer.ts'
import { formatMail } from './outbox-format.ts'

/** Where no mail server is set: each mail becomes a file, named by its time and kind, and its link a line of the log. */
export class OutboxMailer implements Mailer {
  readonly isImmediate = true
  readonly directory: string
  readonly #from: string
  readonly #clock: Clock
  readonly #log: FastifyBaseLogger
  /** The time in the name of the latest mail: names sort in the order of sending, even within a millisecond. */
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
      // A link, not a rename: it fails where another server has put a mail of that name.
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
