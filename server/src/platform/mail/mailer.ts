/** A mail to one person. `link` is the one thing to do with it. */
export interface Mail {
  /** The kind in the outbox's file names: `activation`, `reset`, … */
  kind: string
  to: string
  subject: string
  text: string
  html: string
  link: string | undefined
  /** The name beside the sender's address. Undefined for that of the product. */
  senderName?: string
  /** Where answers go, unless to the sender. */
  replyTo?: string | undefined
}

/** Sends mail. */
export interface Mailer {
  /** Resolves when the mail server has accepted the mail, or it is in the outbox. */
  send(mail: Mail): Promise<void>
  /** Whether sending takes only milliseconds, so that a response may wait for it. */
  readonly isImmediate: boolean
  /** Connects to the mail server and signs in. Throws if that fails. Undefined if mails go to the outbox. */
  verify?(): Promise<void>
  close(): Promise<void>
}
