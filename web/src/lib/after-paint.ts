import { startTransition, useEffect, useState } from 'react'
import { createStore } from './store.ts'

/** Calls `run` after the next frame has been painted. Returns a function that cancels that. */
export function afterPaint(run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(run)
  })
  return () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
  }
}

const hasPainted = createStore(false)

/** Returns whether the first screen of the visit has been painted. Render what is not needed at once after that. */
export function useIsPainted(): boolean {
  const [isPainted, setPainted] = useState(hasPainted.get)
  useEffect(() => {
    if (isPainted) return
    return afterPaint(() => {
      hasPainted.set(true)
      startTransition(() => setPainted(true))
    })
  }, [isPainted])
  return isPainted
}
