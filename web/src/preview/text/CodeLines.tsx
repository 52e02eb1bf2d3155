import { memo, useEffect, useMemo, useState } from 'react'
import { formatCount } from '../../lib/format.ts'
import styles from './CodeLines.module.css'
import { plainLines, type TokenLine } from './token-lines.ts'
import { useHighlight } from './use-highlight.ts'

/** The browser lays out only the blocks in view. */
const BLOCK = 200
const BLOCKS_AT_ONCE = 4
/** So many lines are shown at most: a file of line breaks alone would be a million. */
const MAX_LINES = 20_000

/** Text with numbered lines, in color where it is code. What is selected has no numbers in it. */
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

/** Grows up to a number, a few at a time, so that the beginning is there at once and the page stays quick. */
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
