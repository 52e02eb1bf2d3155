import { KIBIBYTE } from '@alcove/contract/limits'

/** Requests in flight at most, all uploads together. */
const REQUESTS = 6
/** Of these, requests with much to send. A browser keeps six connections to a server: two stay free for the user. */
const LONG_REQUESTS = 4
const LONG = 256 * KIBIBYTE

/** Bounds how many upload requests run at once. */
export interface RequestSlots {
  /** Runs `work`, which sends about `bytes`, when there is room for it; the first to ask is the first to run. */
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

  /** Hands the place over to the one who has waited longest. */
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
