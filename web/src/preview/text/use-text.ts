import { MEBIBYTE } from '@alcove/contract/limits'
import { useEffect, useEffectEvent, useState } from 'react'
import { fetchBytes, problemOfFetch } from '../fetch-bytes.ts'
import type { PreviewItem, PreviewProblem } from '../preview-item.ts'

/** The number of bytes of a text that are fetched at most. */
export const MAX_TEXT = MEBIBYTE

/** Returns the beginning of a text file once it is loaded. */
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
    load().catch((error: unknown) => {
      if (!controller.signal.aborted) fail(problemOfFetch(error))
    })
    return () => controller.abort()
  }, [item])
  return text
}

/** Decodes text by its byte order mark, or else as UTF-8, or else as Windows-1252, which accepts any bytes. */
export function decodeText(bytes: Uint8Array, isCut = false): string {
  const marked = encodings.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte))
  if (marked) return new TextDecoder(marked[0]).decode(bytes)
  try {
    // A cut text may end within a character. As a stream, the decoder accepts that.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isCut })
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

const encodings: readonly [string, readonly number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

/** Returns whether bytes are not text. Except in UTF-16, text has no zero bytes. */
export function isBinary(bytes: Uint8Array): boolean {
  const isMarked = encodings.some(([, mark]) => mark.every((byte, index) => bytes[index] === byte))
  return !isMarked && bytes.subarray(0, 8192).includes(0)
}
