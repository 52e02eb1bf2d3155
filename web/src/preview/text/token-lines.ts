/** A piece of a line, and the class that colors it. */
export interface Token {
  readonly text: string
  readonly kind?: string
}

export type TokenLine = readonly Token[]

/** The shape of what the highlighter answers: elements with classes, with text in them. */
export interface HighlightNode {
  readonly type: string
  readonly value?: string
  readonly properties?: { readonly className?: unknown }
  readonly children?: readonly HighlightNode[]
}

/** Lays colored text out in lines, so that each can be numbered. The innermost color of a piece wins. */
export function toTokenLines(root: HighlightNode): TokenLine[] {
  const lines: Token[][] = [[]]
  const visit = (node: HighlightNode, kind: string | undefined) => {
    if (node.type === 'text') {
      for (const [index, text] of (node.value ?? '').split('\n').entries()) {
        if (index > 0) lines.push([])
        if (text) lines.at(-1)?.push(kind ? { text, kind } : { text })
      }
      return
    }
    const classes = node.properties?.className
    const own = Array.isArray(classes) ? String(classes[0]) : undefined
    for (const child of node.children ?? []) visit(child, own ?? kind)
  }
  visit(root, undefined)
  return lines
}

export function plainLines(text: string): TokenLine[] {
  return text.split('\n').map((line) => (line ? [{ text: line }] : []))
}
