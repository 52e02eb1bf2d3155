import { MEBIBYTE } from '@alcove/contract/limits'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { fetchWhole } from '../fetch-bytes.ts'
import type { PreviewItem } from '../preview-item.ts'

/** From this size on a picture is fetched by us, to tell how far it is; the browser alone would not. */
const LARGE = 4 * MEBIBYTE

interface ImageSource {
  readonly src?: string
  /** How much of a large one has come, between 0 and 1. */
  readonly share?: number
}

/**
 * The address that a picture is shown from. `renew` takes another one where the item has one by now, since the first may
 * have ended before its time; false says that there is none to try.
 */
export function useImageSource(item: PreviewItem, onFail: () => void) {
  const [source, setSource] = useState<ImageSource>({})
  const fail = useEffectEvent(onFail)
  const isRenewed = useRef(false)

  async function renew(): Promise<boolean> {
    if (isRenewed.current || item.size >= LARGE) return false
    const src = await item.url()
    if (src === source.src) return false
    isRenewed.current = true
    setSource({ src })
    return true
  }

  useEffect(() => {
    const controller = new AbortController()
    let objectUrl: string | undefined
    const load = async () => {
      if (item.size < LARGE) return setSource({ src: await item.url() })
      const onProgress = (share: number) => setSource({ share })
      const blob = await fetchWhole(item, { signal: controller.signal, onProgress })
      objectUrl = URL.createObjectURL(blob)
      setSource({ src: objectUrl })
    }
    load().catch(() => {
      if (!controller.signal.aborted) fail()
    })
    return () => {
      controller.abort()
      if (objectUrl) URL.revokeObjectURL(objectUrl)
    }
  }, [item])
  return { ...source, renew }
}
