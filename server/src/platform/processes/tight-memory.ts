import { returnNativeMemory } from './native-memory.ts'
import { hasLittleMemory } from './operating-system.ts'

const MEBIBYTE = 1024 * 1024
const INTERVAL = 1000
/** Each return takes some milliseconds, and memory that is needed again is cleared again. */
const WORTHWHILE = 16 * MEBIBYTE

/** Returns freed memory also while the server is busy, if there is little. Returns a function that stops that. */
export function returnMemoryIfTight(isTight = hasLittleMemory(), interval = INTERVAL): () => void {
  if (!isTight) return () => {}
  const { rss } = process.memoryUsage
  let kept = rss()
  const timer = setInterval(() => {
    const now = rss()
    if (now < kept + WORTHWHILE) {
      kept = Math.min(kept, now)
      return
    }
    returnNativeMemory()
    kept = rss()
  }, interval)
  timer.unref()
  return () => clearInterval(timer)
}
