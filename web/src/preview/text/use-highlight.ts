import { useEffect, useState } from 'react'
import type { HighlightRequest } from './highlight-worker.ts'
import type { TokenLine } from './token-lines.ts'

/** More is not colored: it would take seconds, and nobody reads it here. */
const MAX_COLORED = 200_000
/** Some text brings the highlighter into endless loops. */
const HIGHLIGHT_TIMEOUT = 10_000

/** The lines of code in color once that is done, or `undefined` where it is not done. */
export function useHighlight(code: string | undefined, language: string | undefined): readonly TokenLine[] | undefined {
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
