import Markdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { labelTasks } from './label-tasks.ts'
import styles from './MarkdownText.module.css'

/** Addresses elsewhere, which open beside the page and are told nothing of it. Others lead nowhere from here. */
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
  // A picture from elsewhere would tell its owner who reads this.
  img: ({ alt }) => <span className={styles.picture}>[{alt || 'Picture'}]</span>,
  table: ({ children }) => (
    <div className={styles.table}>
      <table>{children}</table>
    </div>
  ),
}

/** Markdown laid out. HTML in it stays text. */
export function MarkdownText({ text }: { readonly text: string }) {
  return (
    <div className={styles.markdown} dir="auto">
      <Markdown remarkPlugins={[remarkGfm]} rehypePlugins={[labelTasks]} components={components}>
        {text}
      </Markdown>
    </div>
  )
}
