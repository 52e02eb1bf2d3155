import { type Entry, statusOf, type UploadView, viewOf } from './upload-entries.ts'

/** All uploads as they are shown. */
export interface UploadsSnapshot {
  /** What runs or wants the user first, then what waits, then what is done; each in the order of choosing. */
  readonly views: readonly UploadView[]
  readonly uploading: number
  readonly waiting: number
  readonly paused: number
  readonly inConflict: number
  readonly failed: number
  readonly sent: number
  readonly total: number
  readonly speed: number
  /** Until everything that runs and waits is sent; undefined while there is no telling. */
  readonly secondsLeft?: number
  readonly isOffline: boolean
}

export function createSnapshot(
  entries: Iterable<Entry>,
  speed: number,
  isOffline: boolean,
  now: number,
): UploadsSnapshot {
  const moving: UploadView[] = []
  const queued: UploadView[] = []
  const done: UploadView[] = []
  const counts = { uploading: 0, waiting: 0, paused: 0, conflict: 0, failed: 0, done: 0 }
  let sent = 0
  let total = 0
  let left = 0
  for (const entry of entries) {
    const status = statusOf(entry)
    const list = status === 'done' ? done : status === 'waiting' ? queued : moving
    list.push(viewOf(entry, now))
    counts[status] += 1
    sent += entry.sent
    total += entry.total
    if (status === 'uploading' || status === 'waiting') left += entry.total - entry.sent
  }
  return {
    views: [...moving, ...queued, ...done],
    uploading: counts.uploading,
    waiting: counts.waiting,
    paused: counts.paused,
    inConflict: counts.conflict,
    failed: counts.failed,
    sent,
    total,
    speed,
    secondsLeft: speed > 0 ? left / speed : undefined,
    isOffline,
  }
}
