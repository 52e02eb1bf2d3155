import { createBatch } from '../engine/upload-batches.ts'
import { addTransfer, createEntry, type Entry, type NewUpload, type Transfer } from '../engine/upload-entries.ts'
import type { UnfinishedUpload } from './unfinished-uploads.ts'

/** What is written down of an upload, so that it can go on after a reload; undefined for one that cannot. */
export function recordOf(
  { uploadId, entry, name, plan, destination, lastModified, seal }: Transfer,
  owner: string,
): UnfinishedUpload | undefined {
  // A source without a date is made up on the way; one that encrypts goes on under its seal alone.
  if (lastModified === undefined || (destination.isEncrypted && !seal)) return undefined
  const { parentFolderId, relativePath } = destination
  const { size, chunkSize } = plan
  return {
    ...{ uploadId, owner, name, size, lastModified, chunkSize, parentFolderId, relativePath, seal },
    ...{ entryId: entry.id, entryKind: entry.kind, entryName: entry.name, folderName: entry.target.folderName },
    startedAt: Date.now(),
  }
}

/** The rows of unfinished uploads, paused and without their files. */
export function restoreEntries(records: readonly UnfinishedUpload[]): Entry[] {
  const entries = new Map<string, Entry>()
  for (const record of records) {
    const { entryId, entryKind, entryName, parentFolderId, folderName } = record
    const target = { parentFolderId, folderName, isEncrypted: isEncrypted(record) }
    const batch = createBatch(entryKind, target.isEncrypted)
    const entry = entries.get(entryId) ?? createEntry(entryId, entryKind, entryName, target, batch)
    entries.set(entryId, entry)
    addTransfer(entry, restoreTransfer(entry, record))
  }
  return [...entries.values()]
}

function restoreTransfer(entry: Entry, record: UnfinishedUpload): Transfer {
  const { uploadId, name, size, chunkSize, lastModified, seal, parentFolderId, relativePath } = record
  return {
    ...{ uploadId, entry, name, lastModified, seal },
    plan: { size, chunkSize, totalChunks: Math.max(1, Math.ceil(size / chunkSize)) },
    destination: { parentFolderId, relativePath, isEncrypted: isEncrypted(record) },
    ...{ status: 'paused', sent: 0, onConflict: 'fail' },
    ...{ isBegun: false, isRetrying: false, isChecking: false, isSuspended: false },
    ...{ isSkipped: false, isVerified: false, exceedsQuota: false },
  }
}

/** As destinations say it. */
function isEncrypted({ seal }: UnfinishedUpload): true | undefined {
  return seal ? true : undefined
}

/** Where a file lies within what was chosen: its path in a folder, else its name. */
export function placeOf({ source, relativePath }: NewUpload): string {
  return relativePath ?? source.name
}

/** Whether a chosen file looks like the one whose upload was left unfinished; what was sent has the last word. */
export function looksLike({ plan, lastModified }: Transfer, { size, lastModified: chosen }: NewUpload['source']) {
  return plan.size === size && lastModified === chosen
}
