import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { PreviewItem } from '../preview-item.ts'

/** An address is taken to have been good when it failed sooner than this: then the file itself is the matter. */
const YOUNG = 60_000

/** The address that a film plays from. One that has expired in the middle is replaced, and the film goes on. */
export function useMediaSource(item: PreviewItem, onFail: () => void) {
  const [src, setSrc] = useState<string>()
  const since = useRef(0)
  const place = useRef(0)
  const fail = useEffectEvent(onFail)

  const take = useCallback(
    async (isFresh: boolean) => {
      const url = await item.url({ isFresh })
      since.current = performance.now()
      setSrc(url)
    },
    [item],
  )
  useEffect(() => {
    take(false).catch(() => fail())
  }, [take])

  return {
    src,
    /** Gets a new address after a failure at `seconds`; `false` when that would be no use. */
    recover: async (seconds: number): Promise<boolean> => {
      if (performance.now() - since.current < YOUNG) return false
      place.current = seconds
      return take(true).then(
        () => true,
        () => false,
      )
    },
    /** Goes on where it stopped before the new address. */
    resume: (element: HTMLMediaElement) => {
      if (place.current === 0) return
      element.currentTime = place.current
      place.current = 0
      void element.play().catch(() => {})
    },
  }
}
