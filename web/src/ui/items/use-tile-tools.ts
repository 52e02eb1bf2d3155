import { startTransition, useEffect, useState } from 'react'

/** In the first grid of a visit, what shows only on hover is rendered after the first paint. Touch screens get it at once. */
let isFirst = true

/** Returns whether tiles have their buttons and check boxes, which show on hover and focus. */
export function useTileTools(): boolean {
  const [hasTools, setHasTools] = useState(() => !isFirst || !window.matchMedia('(hover: hover)').matches)
  useEffect(() => {
    isFirst = false
    if (hasTools) return
    let timer: ReturnType<typeof setTimeout>
    // After the frame that shows the tiles, and in small steps.
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => startTransition(() => setHasTools(true)))
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [hasTools])
  return hasTools
}
