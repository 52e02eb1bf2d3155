import { type Brand, productBrand } from './brand.ts'
import { type Detail, describeReason, type Letter, letterHtml } from './letter-html.ts'
import type { Mail } from './mailer.ts'

/** Writes a mail. `brand` is the operator's, which jobs read with `readBrand`. */
export function writeLetter(letter: Letter, brand: Brand = productBrand): Mail {
  const clean = cleanLetter(letter)
  const { kind, to, subject, action } = clean
  return {
    ...{ kind, to, subject, link: action?.url, senderName: oneLine(brand.name), replyTo: brand.replyTo },
    text: letterText(clean, brand.name),
    html: letterHtml(clean, brand),
  }
}

function cleanLetter(letter: Letter): Letter {
  const details = letter.details?.map(([label, value]) => [label, oneLine(value)] as const)
  return {
    ...letter,
    to: oneLine(letter.to),
    subject: oneLine(letter.subject),
    preview: oneLine(letter.preview),
    heading: oneLine(letter.heading),
    paragraphs: letter.paragraphs.map(oneLine),
    closing: letter.closing.map(oneLine),
    ...(details && { details }),
  }
}

const WIDTH = 72

/** Writes a letter as plain text: short lines, and the link alone on its line, so that nothing breaks it. */
function letterText({ to, heading, paragraphs, details = [], action, closing }: Letter, name: string): string {
  const parts = [
    wrap(heading),
    ...paragraphs.map((paragraph) => wrap(paragraph)),
    factLines(details).join('\n'),
    action ? `${action.text}:\n${action.url}` : '',
    ...closing.map((paragraph) => wrap(paragraph)),
    // Mail programs treat what follows two hyphens and a space as a signature.
    `-- \n${name}\n${wrap(describeReason(to, name))}`,
  ]
  return `${parts.filter(Boolean).join('\n\n')}\n`
}

function factLines(details: readonly Detail[]): string[] {
  const indent = Math.max(...details.map(([label]) => label.length)) + 2
  return details.map(([label, value]) => {
    const lines = wrap(value, WIDTH - indent).replaceAll('\n', `\n${' '.repeat(indent)}`)
    return `${label}:`.padEnd(indent) + lines
  })
}

/** Wraps only at spaces: a longer word, such as an address, stays whole. */
function wrap(paragraph: string, width = WIDTH): string {
  const lines: string[] = []
  for (const word of paragraph.split(/ +/)) {
    const line = lines.at(-1)
    if (line !== undefined && line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  return lines.join('\n')
}

/**
 * Returns a text without line breaks and without characters that change the direction of writing. Names of devices and plans
 * come from outside and could otherwise add sentences or headers to a mail.
 */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]+/gu, ' ').trim()
}

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB']

/** Formats a time in UTC, which is unambiguous for every reader: `2 May 2026 at 07:05 UTC`. */
export function formatTime(at: number): string {
  const time = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
  return `${time.format(at)} UTC`
}

export function formatDate(at: number): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(at)
}

/** Formats an amount given in the smallest unit of its currency: `$49.99`. Yen have no smaller unit. */
export function formatAmount(amount: number, currency: string): string {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency })
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2))
}

/** Formats bytes as the product does: two decimals, 1 GB is 1024 MB. */
export function formatStorage(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), UNITS.length - 1)
  return `${(bytes / 1024 ** power).toFixed(power === 0 ? 0 : 2)} ${UNITS[power]}`
}
