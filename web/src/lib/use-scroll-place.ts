import { useEffect } from 'react'
import { useNavigationType } from 'react-router'
import { recallScroll, rememberScroll } from './session.ts'

/**
 * Keeps how far the page is scrolled at a place, and scrolls there again when Back, Forward or a reload lead to it.
 * `isReady` is when as much is shown there as can be scrolled through.
 */
export function useScrollPlace(place: string, isReady: boolean): void {
  const isReturn = useNavigationType() === 'POP'
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls once when the place is ready
  useEffect(() => {
    if (!isReady) return
    let y = window.scrollY
    const controller = new AbortController()
    const { signal } = controller
    const follow = () => {
      y = window.scrollY
    }
    const remember = () => rememberScroll(place, y)
    // Not before what is shown has found its height.
    const tick = requestAnimationFrame(() => {
      if (isReturn) window.scrollTo({ top: recallScroll(place), behavior: 'instant' })
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
