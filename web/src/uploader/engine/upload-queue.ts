import { MAX_SMALL_FILE } from '@alcove/contract/limits'
import type { Transfer } from './upload-entries.ts'

/** Small files in work at once: as many as a few requests bring together. */
const TINY_AT_ONCE = 250
/** Other files of one chunk in work at once; each is one short request. */
const SMALL_AT_ONCE = 6
/** Files of several chunks in work at once; each sends a few chunks at a time. */
const LARGE_AT_ONCE = 2

/** Starts waiting transfers in their order, those of one kind of size apart from others, so that a film does not hold up a letter. */
export function createUploadQueue(run: (transfer: Transfer) => Promise<void>) {
  const tiny = createLane(TINY_AT_ONCE, run)
  const small = createLane(SMALL_AT_ONCE, run)
  const large = createLane(LARGE_AT_ONCE, run)
  return {
    /** Puts a waiting transfer in the queue. One that is no longer waiting when its turn comes is passed over. */
    add(transfer: Transfer): void {
      const { size, totalChunks } = transfer.plan
      const lane = size <= MAX_SMALL_FILE ? tiny : totalChunks === 1 ? small : large
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
