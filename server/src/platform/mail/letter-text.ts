import type { Detail, Letter } from './letter.ts'

const WIDTH = 72

/** A letter for whoever reads mail as text: narrow lines, and the link alone on its own, so that nothing breaks it. */
export function letterText({ to, heading, paragraphs, details = [], action, closing }: Letter): string {
  const parts = [
    wrap(heading),
    ...paragraphs.map((paragraph) => wrap(paragraph)),
    factLines(details).join('\n'),
    action ? `${action.text}:\n${action.url}` : '',
    ...closing.map((paragraph) => wrap(paragraph)),
    // What follows two hyphens and a blank is known as the sender's mark.
    `-- \nAlcove\n${wrap(`Sent to ${to}, because it is about an Alcove account.`)}`,
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

/** Breaks at blanks alone: a word that is longer than a line, such as an address, stays whole. */
function wrap(paragraph: string, width = WIDTH): string {
  const lines: string[] = []
  for (const word of paragraph.split(/ +/)) {
    const line = lines.at(-1)
    if (line !== undefined && line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  return lines.join('\n')
}
