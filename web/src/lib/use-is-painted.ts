import { startTransition, useEffect, useState } from 'react'
import { afterPaint } from './after-paint.ts'

let hasPainted = false

/**
 * Returns whether the first screen of the visit has been drawn. What it can do without for a moment is rendered after
 * that, in small steps.
 */
export function useIsPainted(): boolean {
  const [isPainted, setPainted] = useState(hasPainted)
  useEffect(() => {
    if (isPainted) return
    return afterPaint(() => {
      hasPainted = true
      startTransition(() => setPainted(true))
    })
  }, [isPainted])
  return isPainted
}
