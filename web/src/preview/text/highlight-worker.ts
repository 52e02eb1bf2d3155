import { common, createLowlight } from 'lowlight'
import { type HighlightNode, type TokenLine, toTokenLines } from './token-lines.ts'

/** Highlights code in a worker, so that the page stays responsive. */
export interface HighlightRequest {
  readonly code: string
  readonly language: string
}

const lowlight = createLowlight(common)

self.addEventListener('message', ({ data: { code, language } }: MessageEvent<HighlightRequest>) => {
  const lines: TokenLine[] | undefined = lowlight.registered(language)
    ? toTokenLines(lowlight.highlight(language, code) as HighlightNode)
    : undefined
  self.postMessage(lines)
})
