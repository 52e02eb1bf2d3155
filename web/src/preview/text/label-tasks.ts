import type { Element, ElementContent, Root } from 'hast'

/** Gives each box of a task list the text of its task as its name. For `rehypePlugins`. */
export function labelTasks() {
  return (tree: Root): void => labelWithin(tree.children as ElementContent[])
}

function labelWithin(nodes: readonly ElementContent[]): void {
  for (const node of nodes) {
    if (node.type !== 'element') continue
    if (isTask(node)) label(node)
    labelWithin(node.children)
  }
}

function isTask({ tagName, properties }: Element): boolean {
  return tagName === 'li' && Array.isArray(properties.className) && properties.className.includes('task-list-item')
}

function label(task: Element): void {
  const box = findBox(task.children)
  if (box) box.properties.ariaLabel = textOf(task.children).replace(/\s+/g, ' ').trim() || 'Task'
}

/** In a list with gaps the box stands in a paragraph. */
function findBox(nodes: readonly ElementContent[]): Element | undefined {
  for (const node of nodes) {
    if (node.type !== 'element') continue
    if (node.tagName === 'input') return node
    const inside = node.tagName === 'p' ? findBox(node.children) : undefined
    if (inside) return inside
  }
  return undefined
}

/** The text of a task, without those of the tasks below it. */
function textOf(nodes: readonly ElementContent[]): string {
  return nodes
    .map((node) => {
      if (node.type === 'text') return node.value
      return node.type === 'element' && node.tagName !== 'ul' && node.tagName !== 'ol' ? textOf(node.children) : ''
    })
    .join('')
}
