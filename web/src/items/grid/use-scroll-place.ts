import { useEffect } from 'react'
import { useNavigationType } from 'react-router'
import { recallScroll, rememberScroll } from '../../api/session.ts'

/**
 * Keeps how far the page is scrolled at a place, and scrolls there again when Back, Forward or a reload lead to it.
 * `isReady` is when as much is shown there as can be scrolled through.
 */
export function useScrollPlace(place: string, isReady: boolean): void {
  const isReturn = useNavigationType() === 'POP'
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls once when the place is ready
  useEffect(() => {
    if (!isReady) return
    let y: number | undefined
    const controller = new AbortController()
    const { signal } = controller
    const follow = () => {
      y = window.scrollY
    }
    const remember = () => y !== undefined && rememberScroll(place, y)
    // Not before what is shown has found its height; asking for it here would have the page laid out an extra time.
    const tick = requestAnimationFrame(() => {
      if (isReturn) window.scrollTo({ top: recallScroll(place), behavior: 'instant' })
      follow()
      window.addEventListener('scroll', follow, { signal, passive: true })
      window.addEventListener('pagehide', remember, { signal })
    })
    return () => {
      cancelAnimationFrame(tick)
      controller.abort()
      remember()
    }
  }, [place, isReady])
}
