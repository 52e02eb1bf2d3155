import { startTransition, useEffect, useState } from 'react'

/** With the first grid of a visit, what is seen only under the mouse comes after the first paint. A finger sees it at once. */
let isFirst = true

/** Whether tiles have the buttons and check boxes that come with hover and focus. */
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
