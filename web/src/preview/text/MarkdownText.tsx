import type { Element, ElementContent, Root } from 'hast'
import Markdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import styles from './MarkdownText.module.css'

/** Links to other sites open in a new tab, without a referrer. All other links are shown as text. */
const ELSEWHERE = /^(https?:|mailto:)/i

const components: Components = {
  a: ({ href, children }) =>
    href && ELSEWHERE.test(href) ? (
      <a href={href} target="_blank" rel="noopener noreferrer nofollow">
        {children}
      </a>
    ) : (
      <span>{children}</span>
    ),
  // Loading an image from another site would tell that site who reads this file.
  img: ({ alt }) => <span className={styles.picture}>[{alt || 'Picture'}]</span>,
  table: ({ children }) => (
    <div className={styles.table}>
      <table>{children}</table>
    </div>
  ),
}

/** Renders Markdown. HTML in it is shown as text. */
export function MarkdownText({ text }: { readonly text: string }) {
  return (
    <div className={styles.markdown} dir="auto">
      <Markdown remarkPlugins={[remarkGfm]} rehypePlugins={[labelTasks]} components={components}>
        {text}
      </Markdown>
    </div>
  )
}

/** A rehype plugin that labels each checkbox of a task list with the text of its task. */
export function labelTasks() {
  return (tree: Root): void => labelWithin(tree.children as ElementContent[])
}

function labelWithin(nodes: readonly ElementContent[]): void {
  for (const node of nodes) {
    if (node.type !== 'element') continue
    if (isTask(node)) labelBox(node)
    labelWithin(node.children)
  }
}

function isTask({ tagName, properties }: Element): boolean {
  return tagName === 'li' && Array.isArray(properties.className) && properties.className.includes('task-list-item')
}

function labelBox(task: Element): void {
  const box = findBox(task.children)
  if (box) box.properties.ariaLabel = textOf(task.children).replace(/\s+/g, ' ').trim() || 'Task'
}

/** In a loose list the checkbox is in a paragraph. */
function findBox(nodes: readonly ElementContent[]): Element | undefined {
  for (const node of nodes) {
    if (node.type !== 'element') continue
    if (node.tagName === 'input') return node
    const inside = node.tagName === 'p' ? findBox(node.children) : undefined
    if (inside) return inside
  }
  return undefined
}

/** Returns the text of a task, without its subtasks. */
function textOf(nodes: readonly ElementContent[]): string {
  return nodes
    .map((node) => {
      if (node.type === 'text') return node.value
      return node.type === 'element' && node.tagName !== 'ul' && node.tagName !== 'ol' ? textOf(node.children) : ''
    })
    .join('')
}
