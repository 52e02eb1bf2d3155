import type { HeldLock } from '../items/held-locks.ts'
import { noteOnBlanks, type OddNames } from '../lib/name-notes.ts'
import type { Entry, ExistingItem, Transfer, TransferState, TransferStatus } from './transfer.ts'

/** `conflict`: the name is taken, and the user has to decide. */
export type UploadStatus = 'waiting' | 'uploading' | 'paused' | 'conflict' | 'failed' | 'done'

/** A name conflict, with the metadata of both files. */
export interface ConflictView {
  readonly name: string
  readonly size: number
  readonly lastModified?: number
  readonly existing: ExistingItem
}

/** The view of an entry. It is immutable and replaced on each change. */
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
  /** The size of the earlier versions that made space for it. */
  readonly thinnedBytes: number
  /** The first of the taken names. */
  readonly conflict?: ConflictView
  readonly speed: number
  readonly isRetrying: boolean
  readonly isChecking: boolean
  /** Whether a file failed because there was not enough free space. */
  readonly exceedsQuota: boolean
  /** The locks that prevented the file that failed first. */
  readonly locks?: readonly HeldLock[]
  /** The target folder; absent at the root. */
  readonly folderId?: string
  readonly folderName?: string
  readonly isEncrypted: boolean
  /** The number of files that must be chosen again after a reload. */
  readonly filesNeeded: number
  /** The names that other systems can't store, once the files have settled. */
  readonly oddNames?: OddNames
}

/** The view of all uploads. */
export interface UploadsSnapshot {
  /** Running entries and those that need the user first, then waiting, then settled ones; each in order of addition. */
  readonly views: readonly UploadView[]
  /** The number of entries per status. */
  readonly uploading: number
  readonly waiting: number
  readonly paused: number
  readonly inConflict: number
  readonly failed: number
  /** The number of files except skipped ones, of stored files, and of those that the server has confirmed. */
  readonly files: number
  readonly filesStored: number
  readonly filesVerified: number
  readonly filesFailed: number
  readonly filesSkipped: number
  readonly filesInConflict: number
  /** The number of files that must be chosen again after a reload. */
  readonly filesNeeded: number
  /** Bytes. */
  readonly sent: number
  readonly total: number
  readonly speed: number
  /** The estimated time until all running and waiting uploads are sent; undefined while it is unknown. */
  readonly secondsLeft?: number
  readonly isOffline: boolean
  /** Whether the sent files are being compared with those on the server. */
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
    thinnedBytes: entry.thinnedBytes,
    conflict: conflictOf(find('conflict')),
    speed: status === 'uploading' ? entry.speed.read(now) : 0,
    isRetrying: counts.sending > 0 && !some((state) => state.status === 'sending' && !state.isRetrying),
    isChecking: counts.hashing > 0,
    exceedsQuota: counts.failed > 0 && some((state) => state.status === 'failed' && state.exceedsQuota),
    locks: failed?.state.status === 'failed' ? failed.state.locks : undefined,
    folderId: target.parentFolderId,
    folderName: target.folderName,
    isEncrypted: target.isEncrypted === true,
    filesNeeded: counts.paused + counts.hashing > 0 ? transfers.filter(needsFile).length : 0,
    oddNames: status === 'done' || status === 'failed' ? oddNamesOf(entry) : undefined,
  }
}

/** Returns the odd names of the stored files and of the folders in their paths; undefined if there are none. */
function oddNamesOf({ transfers }: Entry): OddNames | undefined {
  const stored = transfers.filter(({ state }) => state.status === 'done')
  const twins = stored.flatMap(({ name, caseTwin }) => (caseTwin === undefined ? [] : [{ name, twin: caseTwin }]))
  // Each folder counts once, however many files it has.
  const blanks = new Map<string, string>()
  for (const { name, destination } of stored) {
    const path = destination.relativePath ?? name
    if (!/(^|\/)\s|\s(\/|$)/.test(path)) continue
    let end = 0
    for (const part of path.split('/')) {
      end += part.length + 1
      if (noteOnBlanks(part)) blanks.set(path.slice(0, end), part)
    }
  }
  if (twins.length + blanks.size === 0) return undefined
  return { twins: twins.length, firstTwin: twins[0], blanks: blanks.size, firstBlank: [...blanks.values()][0] }
}

/** Returns the status of an entry: that of running files first, then of files that need the user, then the result. */
function statusOf({ counts }: Entry): UploadStatus {
  if (counts.sending > 0) return 'uploading'
  if (counts.waiting > 0) return 'waiting'
  if (counts.conflict > 0) return 'conflict'
  if (counts.paused + counts.hashing > 0) return 'paused'
  return counts.failed > 0 ? 'failed' : 'done'
}

/** Returns whether the user has to choose the file again after a reload. */
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
