import { type Entry, statusOf, type Transfer } from './upload-entries.ts'
import type { ConflictView, UploadStatus, UploadView } from './upload-view.ts'

export function viewOf(entry: Entry, now: number): UploadView {
  entry.view ??= createView(entry, now)
  return entry.view
}

function createView(entry: Entry, now: number): UploadView {
  const { id, kind, name, note, target, counts, sent, total, transfers, skipped } = entry
  const status = statusOf(entry)
  const find = (state: UploadStatus) => (counts[state] > 0 ? transfers.find((one) => one.status === state) : undefined)
  const failed = find('failed')
  const speaks = transfers.length === 1 || status === 'failed'
  return {
    id,
    kind,
    name,
    status,
    reason: speaks ? (failed ?? transfers[0])?.reason : undefined,
    note,
    sent,
    total,
    files: transfers.length,
    filesDone: counts.done - skipped,
    filesFailed: counts.failed,
    filesInConflict: counts.conflict,
    conflict: conflictOf(find('conflict')),
    speed: status === 'uploading' ? entry.speed.read(now) : 0,
    isRetrying: counts.uploading > 0 && transfers.every((t) => t.status !== 'uploading' || t.isRetrying),
    isChecking: counts.paused > 0 && transfers.some(({ isChecking }) => isChecking),
    exceedsQuota: failed !== undefined && transfers.some(({ exceedsQuota }) => exceedsQuota),
    folderId: target.parentFolderId,
    folderName: target.folderName,
    isEncrypted: target.isEncrypted === true,
    filesNeeded: counts.paused > 0 ? transfers.filter(needsFile).length : 0,
  }
}

export function needsFile({ status, source }: Transfer): boolean {
  return status === 'paused' && source === undefined
}

function conflictOf(transfer: Transfer | undefined): ConflictView | undefined {
  if (!transfer) return undefined
  const { name, plan, lastModified, existing } = transfer
  return { name, size: plan.size, lastModified, existing }
}
