import { KIBIBYTE, MAX_SMALL_FILE } from '@alcove/contract/limits'
import type { ChunkPlan } from './planner.ts'

/** The maximum number of requests in flight for all uploads together. */
const REQUESTS = 6
/** The maximum number of large requests. Browsers open six connections to a server, so two stay free for the user. */
const LONG_REQUESTS = 4
const LONG = 256 * KIBIBYTE

/** Limits the number of concurrent upload requests. */
export interface RequestSlots {
  /** Runs `work`, which sends about `bytes`, when a slot is free, in the order of the calls. */
  use<T>(bytes: number, signal: AbortSignal, work: () => Promise<T>): Promise<T>
}

export function createRequestSlots(requests = REQUESTS, longRequests = LONG_REQUESTS): RequestSlots {
  const all = createSemaphore(requests)
  const long = createSemaphore(longRequests)
  return {
    use: (bytes, signal, work) =>
      bytes < LONG ? all.use(signal, work) : long.use(signal, () => all.use(signal, work)),
  }
}

function createSemaphore(size: number) {
  let free = size
  const waiting = new Set<() => void>()

  async function take(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (free > 0) {
      free -= 1
      return
    }
    await new Promise<void>((resolve, reject) => {
      const enter = () => {
        waiting.delete(enter)
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        waiting.delete(enter)
        reject(signal.reason)
      }
      waiting.add(enter)
      signal.addEventListener('abort', leave, { once: true })
    })
  }

  /** Passes the slot to the caller that has waited longest. */
  function give(): void {
    const [next] = waiting
    if (next) next()
    else free += 1
  }

  return {
    async use<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
      await take(signal)
      try {
        return await work()
      } finally {
        give()
      }
    },
  }
}

/** The maximum number of small files in progress: as many as a few combined requests contain. */
const TINY_AT_ONCE = 250
/** The maximum number of other one-chunk files in progress. Each takes one short request. */
const SMALL_AT_ONCE = 6
/** The maximum number of files with several chunks in progress. Each sends a few chunks at a time. */
const LARGE_AT_ONCE = 2

interface Startable {
  readonly plan: ChunkPlan
  readonly state: { readonly status: string }
}

/** Starts waiting files in order, in one lane per size class, so that a large file does not delay small ones. */
export function createLanes<T extends Startable>(run: (next: T) => Promise<void>) {
  const tiny = createLane(TINY_AT_ONCE, run)
  const small = createLane(SMALL_AT_ONCE, run)
  const large = createLane(LARGE_AT_ONCE, run)
  return {
    /** Adds a file to the end of its lane. It is skipped if it is no longer waiting when it could start. */
    add(one: T): void {
      const { size, totalChunks } = one.plan
      const lane = size <= MAX_SMALL_FILE ? tiny : totalChunks === 1 ? small : large
      lane.add(one)
    },
  }
}

function createLane<T extends Startable>(atOnce: number, run: (next: T) => Promise<void>) {
  const waiting = new Set<T>()
  let running = 0

  function startNext(): void {
    while (running < atOnce) {
      const [next] = waiting
      if (!next) return
      waiting.delete(next)
      if (next.state.status !== 'waiting') continue
      running += 1
      void run(next).finally(() => {
        running -= 1
        startNext()
      })
    }
  }

  return {
    add(one: T): void {
      waiting.delete(one) // a file that was paused in between goes to the end
      waiting.add(one)
      startNext()
    },
  }
}
