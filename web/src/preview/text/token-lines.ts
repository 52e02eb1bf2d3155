/** A part of a line, and the class that colors it. */
export interface Token {
  readonly text: string
  readonly kind?: string
}

export type TokenLine = readonly Token[]

/** A node of the tree that the highlighter returns. */
export interface HighlightNode {
  readonly type: string
  readonly value?: string
  readonly properties?: { readonly className?: unknown }
  readonly children?: readonly HighlightNode[]
}

/** Splits highlighted code into lines. The innermost class of a part wins. */
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
