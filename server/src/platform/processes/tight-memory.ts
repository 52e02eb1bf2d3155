import { readFileSync } from 'node:fs'
import { collectGarbage } from './collect-garbage.ts'
import { returnNativeMemory } from './native-memory.ts'
import { availableMemory, hasLittleMemory } from './operating-system.ts'

const INTERVAL = 1000
/** Each return takes some milliseconds, and memory that is needed again is cleared again. */
const WORTHWHILE = 16 * 1024 * 1024
/** If the server alone has more than this part of the memory, its garbage is collected. The rest is for work processes and files. */
const SHARE = 0.5
/** A collection stops everything else, for a tenth of a second with half a core. */
const MIN_PAUSE = 5_000

/** Returns freed memory also while the server is busy, if there is little. Returns a function that stops that. */
export function returnMemoryIfTight(isTight = hasLittleMemory(), interval = INTERVAL): () => void {
  if (!isTight) return () => {}
  const share = availableMemory() * SHARE
  let kept = ownMemory()
  let mayCollectAt = 0
  const timer = setInterval(() => {
    const now = ownMemory()
    if (now > share && performance.now() >= mayCollectAt) {
      collectGarbage()
      mayCollectAt = performance.now() + MIN_PAUSE
    } else if (now >= kept + WORTHWHILE) {
      returnNativeMemory()
    } else {
      kept = Math.min(kept, now)
      return
    }
    kept = ownMemory()
  }, interval)
  timer.unref()
  return () => clearInterval(timer)
}

/** Returns the memory of this process without pages of files, which the system can drop. */
function ownMemory(): number {
  try {
    return Number(/^RssAnon:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'latin1'))?.[1]) * 1024
  } catch {
    return process.memoryUsage.rss()
  }
}
