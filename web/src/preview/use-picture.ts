import { useEffect, useState } from 'react'
import { type ThumbnailSource, thumbnails } from '../items/thumbnails.ts'

/** Returns the address of a thumbnail once it is loaded. */
export function usePicture(source: ThumbnailSource | undefined): string | undefined {
  const key = source?.key
  const [picture, setPicture] = useState<{ readonly key: string; readonly url: string }>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key identifies the source
  useEffect(() => {
    if (source) return thumbnails.request(source, (url) => setPicture({ key: source.key, url }))
  }, [key])
  return picture?.key === key ? picture?.url : undefined
}
