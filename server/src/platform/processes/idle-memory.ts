// SURPRISE: the server collects garbage itself while it is idle.
// V8 keeps what it has once taken: only allocations make it collect, and an idle server allocates nothing. Its own reducer of memory
// judges by the rate of allocations before, which stays high after a load, so it waits forever.
// Measured: 136 instead of 199 MiB after the start, of which 60 MiB had been for new objects. It takes as long as any full
// collection, a twentieth of a second after the start (docs/decisions/044-memory-and-start.md).
// Remove it when: V8 gives back memory in an idle process.

import { performance } from 'node:perf_hooks'
import { collectGarbage } from './collect-garbage.ts'

const { rss } = process.memoryUsage

/** The process is idle if it has used less than a twentieth of this time. */
const INTERVAL = 5_000
const IDLE_UTILIZATION = 0.05
/** A collection stops everything else for a moment, so it must be worth it and is rare. */
const WORTHWHILE = 8 * 1024 * 1024
const MIN_PAUSE = 30_000

/** Returns memory to the system when the process is idle, after calling `onRelease`. Returns a function that stops that. */
export function releaseMemoryWhenIdle(onRelease: () => void, interval = INTERVAL): () => void {
  let last = performance.eventLoopUtilization()
  let kept = 0
  let mayCollectAt = 0
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, last)
    last = now
    if (utilization > IDLE_UTILIZATION || performance.now() < mayCollectAt || rss() < kept + WORTHWHILE) return
    onRelease()
    collectGarbage()
    kept = rss()
    mayCollectAt = performance.now() + MIN_PAUSE
  }, interval)
  timer.unref()
  return () => clearInterval(timer)
}
