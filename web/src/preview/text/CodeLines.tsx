import { memo, useEffect, useMemo, useState } from 'react'
import { formatCount } from '../../lib/format.ts'
import styles from './CodeLines.module.css'
import type { HighlightRequest } from './highlight-worker.ts'
import { plainLines, type TokenLine } from './token-lines.ts'

/** The number of lines per block. The browser lays out only the blocks in view. */
const BLOCK = 200
const BLOCKS_AT_ONCE = 4
/** The number of lines shown at most. A file of line breaks alone could have a million. */
const MAX_LINES = 20_000

/** Shows text with line numbers, and code highlighted. Selected text doesn't include the numbers. */
export function CodeLines({ text, language }: { readonly text: string; readonly language: string | undefined }) {
  const colored = useHighlight(text, language)
  const lines = useMemo(() => colored ?? plainLines(text), [colored, text])
  const shown = lines.length > MAX_LINES ? lines.slice(0, MAX_LINES) : lines
  const digits = String(shown.length).length
  const count = Math.ceil(shown.length / BLOCK)
  const ready = useGrowing(count)
  return (
    <pre className={styles.code} style={{ '--digits': digits } as React.CSSProperties} dir="ltr">
      {Array.from({ length: ready }, (_, index) => (
        <Block
          // biome-ignore lint/suspicious/noArrayIndexKey: lines do not move
          key={index}
          lines={shown}
          start={index * BLOCK}
        />
      ))}
      {ready === count && lines.length > MAX_LINES && (
        <div className={styles.rest}>… and {formatCount(lines.length - MAX_LINES)} lines more.</div>
      )}
    </pre>
  )
}

/**
 * Returns a number that grows to `count` in steps, so that the beginning shows at once and the page stays responsive.
 */
function useGrowing(count: number): number {
  const [ready, setReady] = useState(BLOCKS_AT_ONCE)
  useEffect(() => {
    if (ready >= count) return
    const timer = setTimeout(() => setReady(ready + BLOCKS_AT_ONCE), 30)
    return () => clearTimeout(timer)
  }, [ready, count])
  return Math.min(ready, count)
}

interface BlockProps {
  readonly lines: readonly TokenLine[]
  readonly start: number
}

const Block = memo(function Block({ lines, start }: BlockProps) {
  const own = lines.slice(start, start + BLOCK)
  return (
    <div className={styles.block} style={{ containIntrinsicHeight: `auto ${own.length * 20}px` }}>
      {own.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines do not move
        <div key={index} className={styles.line} data-number={start + index + 1}>
          {line.map(({ text, kind }, position) =>
            kind ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: nor do their pieces
              <span key={position} className={kind}>
                {text}
              </span>
            ) : (
              text
            ),
          )}
          {'\n'}
        </div>
      ))}
    </div>
  )
})

/** Longer code is not highlighted, because that would take seconds. In characters. */
const MAX_COLORED = 200_000
/** Some text makes the highlighter loop endlessly. In milliseconds. */
const HIGHLIGHT_TIMEOUT = 10_000

/** Returns the highlighted lines of code once they are ready; undefined if they won't be. */
function useHighlight(code: string | undefined, language: string | undefined): readonly TokenLine[] | undefined {
  const [lines, setLines] = useState<readonly TokenLine[]>()
  useEffect(() => {
    if (code === undefined || !language || code.length > MAX_COLORED) return
    const worker = new Worker(new URL('./highlight-worker.ts', import.meta.url), { type: 'module' })
    const timer = setTimeout(() => worker.terminate(), HIGHLIGHT_TIMEOUT)
    worker.addEventListener('message', ({ data }: MessageEvent<TokenLine[] | undefined>) => {
      clearTimeout(timer)
      worker.terminate()
      setLines(data)
    })
    const request: HighlightRequest = { code, language }
    worker.postMessage(request)
    return () => {
      clearTimeout(timer)
      worker.terminate()
      setLines(undefined)
    }
  }, [code, language])
  return lines
}
