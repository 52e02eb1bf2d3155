import type { Entry, ExistingItem, Transfer, TransferState, TransferStatus } from './transfer.ts'

/** `conflict`: the name is taken, and the user has to decide. */
export type UploadStatus = 'waiting' | 'uploading' | 'paused' | 'conflict' | 'failed' | 'done'

/** A taken name, with both sides of it. */
export interface ConflictView {
  readonly name: string
  readonly size: number
  readonly lastModified?: number
  readonly existing?: ExistingItem
}

/** An entry as it is shown. It never changes: a new one takes its place. */
export interface UploadView {
  readonly id: string
  readonly kind: 'file' | 'folder'
  readonly name: string
  readonly status: UploadStatus
  readonly reason?: string
  readonly note?: string
  readonly sent: number
  readonly total: number
  readonly files: number
  readonly filesDone: number
  readonly filesFailed: number
  readonly filesInConflict: number
  /** The first of the taken names. */
  readonly conflict?: ConflictView
  readonly speed: number
  readonly isRetrying: boolean
  readonly isChecking: boolean
  /** Some of it failed for lack of free space. */
  readonly exceedsQuota: boolean
  /** Where it goes; the folder is absent at the root. */
  readonly folderId?: string
  readonly folderName?: string
  readonly isEncrypted: boolean
  /** How many of its files must be chosen again because of a reload. */
  readonly filesNeeded: number
}

/** All uploads as they are shown. */
export interface UploadsSnapshot {
  /** What runs or needs the user first, then what waits, then what is done; each in the order of choosing. */
  readonly views: readonly UploadView[]
  /** Rows by their status. */
  readonly uploading: number
  readonly waiting: number
  readonly paused: number
  readonly inConflict: number
  readonly failed: number
  /** Files: all but those skipped, those stored, and those of them that the server has confirmed. */
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
  /** Until everything that runs and waits is sent; undefined while it cannot be estimated. */
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
    const view = viewOf(entry, now)
    const { status } = view
    const { cancelled } = entry.counts
    const list = status === 'done' ? done : status === 'waiting' ? queued : moving
    list.push(view)
    rows[status] += 1
    files.files += entry.transfers.length - cancelled
    files.filesStored += view.filesDone
    files.filesVerified += entry.verified
    files.filesFailed += view.filesFailed
    files.filesSkipped += cancelled
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

function viewOf(entry: Entry, now: number): UploadView {
  entry.view ??= createView(entry, now)
  return entry.view as UploadView
}

function createView(entry: Entry, now: number): UploadView {
  const { id, kind, name, note, target, counts, sent, total, transfers } = entry
  const status = statusOf(entry)
  const find = (wanted: TransferStatus) =>
    counts[wanted] > 0 ? transfers.find(({ state }) => state.status === wanted) : undefined
  const failed = find('failed')
  const isForAll = transfers.length === 1 || status === 'failed'
  const some = (is: (state: TransferState) => boolean) => transfers.some(({ state }) => is(state))
  return {
    ...{ id, kind, name, status },
    reason: isForAll ? reasonOf((failed ?? transfers[0])?.state) : undefined,
    ...{ note, sent, total },
    files: transfers.length,
    filesDone: counts.done,
    filesFailed: counts.failed,
    filesInConflict: counts.conflict,
    conflict: conflictOf(find('conflict')),
    speed: status === 'uploading' ? entry.speed.read(now) : 0,
    isRetrying: counts.sending > 0 && !some((state) => state.status === 'sending' && !state.isRetrying),
    isChecking: counts.hashing > 0,
    exceedsQuota: counts.failed > 0 && some((state) => state.status === 'failed' && state.exceedsQuota),
    folderId: target.parentFolderId,
    folderName: target.folderName,
    isEncrypted: target.isEncrypted === true,
    filesNeeded: counts.paused + counts.hashing > 0 ? transfers.filter(needsFile).length : 0,
  }
}

/** Returns the status of an entry: what is going on comes first, then what waits for the user, then how it ended. */
function statusOf({ counts }: Entry): UploadStatus {
  if (counts.sending > 0) return 'uploading'
  if (counts.waiting > 0) return 'waiting'
  if (counts.conflict > 0) return 'conflict'
  if (counts.paused + counts.hashing > 0) return 'paused'
  return counts.failed > 0 ? 'failed' : 'done'
}

/** Whether a reload has taken the file away, and the user has to choose it again. */
export function needsFile({ state }: Transfer): boolean {
  return state.status === 'hashing' || (state.status === 'paused' && state.by === 'reload')
}

function reasonOf(state: TransferState | undefined): string | undefined {
  return state?.status === 'failed' || state?.status === 'conflict' ? state.reason : undefined
}

function conflictOf(transfer: Transfer | undefined): ConflictView | undefined {
  if (transfer?.state.status !== 'conflict') return undefined
  const { name, plan, lastModified, state } = transfer
  return { name, size: plan.size, lastModified, existing: state.existing }
}
