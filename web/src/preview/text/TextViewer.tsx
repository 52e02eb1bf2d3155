import { languageOf } from '@alcove/contract/preview-kind'
import { IconCode } from '@tabler/icons-react'
import { useState } from 'react'
import { formatSize } from '../../lib/format.ts'
import { useLoaded } from '../../lib/lazy-module.ts'
import type { ViewerProps } from '../preview-item.ts'
import { PreviewSpinner, ViewButton, ViewControls } from '../viewer-parts.tsx'
import { CodeLines } from './CodeLines.tsx'
import styles from './TextViewer.module.css'
import { MAX_TEXT, useText } from './use-text.ts'

/** Longer Markdown is shown as source, because rendering it would block the page. In characters. */
const MAX_MARKDOWN = 64_000

/** Shows Markdown rendered or as source, and other text with line numbers. */
export function TextViewer({ item, onFail }: ViewerProps) {
  const text = useText(item, onFail)
  const [isSource, setIsSource] = useState(false)
  if (text === undefined) return <PreviewSpinner />
  const language = languageOf(item.name)
  const isMarkdown = language === 'markdown' && text.length <= MAX_MARKDOWN && text.trim() !== ''
  const isLaidOut = isMarkdown && !isSource
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it */}
      <section className={styles.scroller} aria-label={`Text of ${item.name}`} tabIndex={0} data-scroller>
        <div className={styles.paper} data-laid-out={isLaidOut || undefined}>
          {text.trim() === '' && <p className={styles.empty}>This file is empty.</p>}
          {isLaidOut ? (
            <Markdown text={text} onFail={() => setIsSource(true)} />
          ) : (
            <CodeLines text={text} language={language} />
          )}
          {item.size > MAX_TEXT && (
            <p className={styles.note} role="status">
              These are the first {formatSize(MAX_TEXT)} of {formatSize(item.size)}. Download the file to see the rest.
            </p>
          )}
        </div>
      </section>
      {isMarkdown && (
        <ViewControls label="View">
          <ViewButton label="Source" isPressed={isSource} onClick={() => setIsSource(!isSource)}>
            <IconCode size={20} stroke={1.75} />
          </ViewButton>
        </ViewControls>
      )}
    </>
  )
}

function Markdown({ text, onFail }: { readonly text: string; readonly onFail: () => void }) {
  const loaded = useLoaded(() => import('./MarkdownText.tsx'), onFail)
  return loaded ? <loaded.MarkdownText text={text} /> : <PreviewSpinner />
}
