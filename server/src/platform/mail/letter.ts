/** What a mail says. Every text is plain and one paragraph; how it looks is up to `letter-html.ts` and `letter-text.ts`. */
export interface Letter {
  /** What it is for, for the outbox's file names: small letters and hyphens. */
  kind: string
  to: string
  subject: string
  /** Lists of mails show it after the subject. */
  preview: string
  heading: string
  paragraphs: readonly string[]
  /** Labels and what stands beside them. */
  details?: readonly Detail[]
  /** The one thing to do. */
  action?: { text: string; url: string }
  closing: readonly string[]
}

export type Detail = readonly [label: string, value: string]
