import type { Transfer } from './upload-entries.ts'

/** Files of one chunk in work at once; each is one short request. */
const SMALL_AT_ONCE = 6
/** Files of several chunks in work at once; each sends a few chunks at a time. */
const LARGE_AT_ONCE = 2

/** Starts waiting transfers in their order, small and large ones apart, so that a film does not hold up a letter. */
export function createUploadQueue(run: (transfer: Transfer) => Promise<void>) {
  const lanes = { small: createLane(SMALL_AT_ONCE, run), large: createLane(LARGE_AT_ONCE, run) }
  return {
    /** Puts a waiting transfer in the queue. One that is no longer waiting when its turn comes is passed over. */
    add(transfer: Transfer): void {
      const lane = transfer.plan.totalChunks === 1 ? lanes.small : lanes.large
      lane.add(transfer)
    },
  }
}

function createLane(atOnce: number, run: (transfer: Transfer) => Promise<void>) {
  const waiting = new Set<Transfer>()
  let running = 0

  function startNext(): void {
    while (running < atOnce) {
      const [next] = waiting
      if (!next) return
      waiting.delete(next)
      if (next.status !== 'waiting') continue
      running += 1
      void run(next).finally(() => {
        running -= 1
        startNext()
      })
    }
  }

  return {
    add(transfer: Transfer): void {
      waiting.delete(transfer) // one that was paused in between goes to the end
      waiting.add(transfer)
      startNext()
    },
  }
}
