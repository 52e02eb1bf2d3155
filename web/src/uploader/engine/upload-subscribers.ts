import { throttle } from '../../lib/throttle.ts'
import type { UploadsSnapshot } from './upload-snapshot.ts'

const NOTIFY_INTERVAL = 100
const PULSE = 1000

/** Tells those who show the uploads of changes, at most ten times a second; `takeSnapshot` is asked as often. */
export function createSubscribers(takeSnapshot: () => UploadsSnapshot, refreshSpeeds: () => void) {
  const subscribers = new Set<() => void>()
  let snapshot: UploadsSnapshot | undefined
  let pulse: ReturnType<typeof setInterval> | undefined

  const changed = throttle(() => {
    snapshot = takeSnapshot()
    // A stream that stops tells nothing: its speed has to be read again.
    const isBusy = snapshot.uploading > 0
    if (isBusy && pulse === undefined) pulse = setInterval(refreshSpeeds, PULSE)
    if (!isBusy) {
      clearInterval(pulse)
      pulse = undefined
    }
    for (const subscriber of subscribers) subscriber()
  }, NOTIFY_INTERVAL)

  return {
    changed,
    getSnapshot(): UploadsSnapshot {
      snapshot ??= takeSnapshot()
      return snapshot
    },
    subscribe(subscriber: () => void) {
      subscribers.add(subscriber)
      return () => void subscribers.delete(subscriber)
    },
  }
}
