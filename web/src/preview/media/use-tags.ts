import { useEffect, useState } from 'react'
import type { MediaTags, PreviewItem } from '../preview-item.ts'

/** The metadata of a file once it is there; a preview without it is still whole. */
export function useTags(item: PreviewItem): MediaTags | undefined {
  const [found, setFound] = useState<{ readonly id: string; readonly tags: MediaTags }>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: items are made anew with each list
  useEffect(() => {
    let isOver = false
    item.tags?.().then(
      (tags) => !isOver && setFound({ id: item.id, tags }),
      () => undefined,
    )
    return () => {
      isOver = true
    }
  }, [item.id])
  return found?.id === item.id ? found.tags : undefined
}
