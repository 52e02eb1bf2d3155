import { MEBIBYTE } from '@alcove/contract/limits'
import { useEffect, useEffectEvent, useState } from 'react'
import { fetchBytes } from '../fetch-bytes.ts'
import type { PreviewItem } from '../preview-item.ts'
import type { PreviewProblem } from '../preview-texts.ts'
import { decodeText, isBinary } from './decode-text.ts'

/** No more of a text is fetched. */
export const MAX_TEXT = MEBIBYTE

/** The beginning of a text file, once it is there. */
export function useText(item: PreviewItem, onFail: (problem: PreviewProblem) => void): string | undefined {
  const [text, setText] = useState<string>()
  const fail = useEffectEvent(onFail)
  useEffect(() => {
    const controller = new AbortController()
    const load = async () => {
      const bytes = new Uint8Array(
        await fetchBytes(item, 0, Math.min(item.size, MAX_TEXT), { signal: controller.signal }),
      )
      if (isBinary(bytes)) fail('unsupported')
      else setText(decodeText(bytes, item.size > MAX_TEXT).replace(/\r\n?/g, '\n'))
    }
    load().catch(() => {
      if (!controller.signal.aborted) fail('unreachable')
    })
    return () => controller.abort()
  }, [item])
  return text
}
