import { viewOf } from './create-upload-view.ts'
import { type Entry, statusOf } from './upload-entries.ts'
import type { UploadView } from './upload-view.ts'

/** All uploads as they are shown. */
export interface UploadsSnapshot {
  /** What runs or wants the user first, then what waits, then what is done; each in the order of choosing. */
  readonly views: readonly UploadView[]
  /** Rows by their state. */
  readonly uploading: number
  readonly waiting: number
  readonly paused: number
  readonly inConflict: number
  readonly failed: number
  /** Files: all but those left out, those that are stored, and those of them that the server has confirmed. */
  readonly files: number
  readonly filesStored: number
  readonly filesVerified: number
  readonly filesFailed: number
  readonly filesSkipped: number
  readonly filesInConflict: number
  /** Files that a reload interrupted and that must be chosen again. */
  readonly filesNeeded: number
  /** Bytes. */
  readonly sent: number
  readonly total: number
  readonly speed: number
  /** Until everything that runs and waits is sent; undefined while there is no telling. */
  readonly secondsLeft?: number
  readonly isOffline: boolean
  /** What was sent is being compared with what the server has. */
  readonly isVerifying: boolean
}

type Surroundings = Pick<UploadsSnapshot, 'speed' | 'isOffline' | 'isVerifying'>

export function createSnapshot(entries: Iterable<Entry>, surroundings: Surroundings, now: number): UploadsSnapshot {
  const moving: UploadView[] = []
  const queued: UploadView[] = []
  const done: UploadView[] = []
  const rows = { uploading: 0, waiting: 0, paused: 0, conflict: 0, failed: 0, done: 0 }
  const files = { files: 0, filesStored: 0, filesVerified: 0, filesFailed: 0, filesSkipped: 0, filesInConflict: 0 }
  let filesNeeded = 0
  let sent = 0
  let total = 0
  let left = 0
  for (const entry of entries) {
    const status = statusOf(entry)
    const view = viewOf(entry, now)
    const list = status === 'done' ? done : status === 'waiting' ? queued : moving
    list.push(view)
    rows[status] += 1
    files.files += entry.transfers.length - entry.skipped
    files.filesStored += view.filesDone
    files.filesVerified += entry.verified
    files.filesFailed += view.filesFailed
    files.filesSkipped += entry.skipped
    files.filesInConflict += view.filesInConflict
    filesNeeded += view.filesNeeded
    sent += entry.sent
    total += entry.total
    if (status === 'uploading' || status === 'waiting') left += entry.total - entry.sent
  }
  const { uploading, waiting, paused, conflict: inConflict, failed } = rows
  const { speed } = surroundings
  return {
    views: [...moving, ...queued, ...done],
    ...{ uploading, waiting, paused, inConflict, failed },
    ...files,
    ...{ filesNeeded, sent, total },
    secondsLeft: speed > 0 ? left / speed : undefined,
    ...surroundings,
  }
}
