import type { Letter } from './letter.ts'
import { letterHtml } from './letter-html.ts'
import { letterText } from './letter-text.ts'
import type { Mail } from './mailer.ts'
import { oneLine } from './one-line.ts'

export function writeLetter(letter: Letter): Mail {
  const clean = cleanLetter(letter)
  const { kind, to, subject, action } = clean
  return { kind, to, subject, text: letterText(clean), html: letterHtml(clean), link: action?.url }
}

function cleanLetter(letter: Letter): Letter {
  const details = letter.details?.map(([label, value]) => [label, oneLine(value)] as const)
  return {
    ...letter,
    to: oneLine(letter.to),
    subject: oneLine(letter.subject),
    preview: oneLine(letter.preview),
    paragraphs: letter.paragraphs.map(oneLine),
    closing: letter.closing.map(oneLine),
    ...(details && { details }),
  }
}
