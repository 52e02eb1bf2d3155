import { MEBIBYTE } from '@alcove/contract/limits'
import { useEffect } from 'react'
import type { PreviewItem } from './preview-item.ts'
import { previewKindOf } from './preview-kind.ts'

/** Who leafs through quickly fetches nothing ahead. */
const REST = 400
/** Larger ones would be fetched again when they are shown, with their progress. */
const MAX_AHEAD = 4 * MEBIBYTE

/** Fetches the picture after the one on show, and the one before it. */
export function useFetchAhead(walk: readonly PreviewItem[], index: number): void {
  useEffect(() => {
    const timer = setTimeout(() => {
      for (const item of [walk[index + 1], walk[index - 1]]) if (item && isFetchable(item)) void fetchAhead(item)
    }, REST)
    return () => clearTimeout(timer)
  }, [walk, index])
}

function isFetchable({ name, size, isReady }: PreviewItem): boolean {
  return previewKindOf(name) === 'image' && size > 0 && size < MAX_AHEAD && isReady?.() !== false
}

/** Whatever goes wrong here is said when the picture is shown. */
async function fetchAhead(item: PreviewItem): Promise<void> {
  try {
    const image = new Image()
    image.src = await item.url()
    await image.decode()
  } catch {}
}
