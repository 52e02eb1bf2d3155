/** A mail to one person. `link` is the one thing to do with it. */
export interface Mail {
  /** What it is for, for the outbox's file names: `activation`, `reset`, … */
  kind: string
  to: string
  subject: string
  text: string
  html: string
  link: string | undefined
}

/** The door through which mail leaves. */
export interface Mailer {
  /** Resolves when the mail is on its way: taken by the mail server, or lying in the outbox. */
  send(mail: Mail): Promise<void>
  /** Whether sending is a matter of milliseconds, so that a response may wait for it. */
  readonly isImmediate: boolean
  close(): Promise<void>
}
