import { type RefObject, useEffect, useState } from 'react'

const STEP = 240

/** How many of `total` things are in the page: a screenful and more, and the next ones whenever `end` comes near. */
export function useGrowingCount(end: RefObject<HTMLElement | null>, total: number): number {
  const [count, setCount] = useState(STEP)
  const isWhole = count >= total
  useEffect(() => {
    const element = end.current
    if (!element || isWhole) return
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) setCount(count + STEP)
      },
      { rootMargin: '1200px' },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [end, isWhole, count])
  return count
}
