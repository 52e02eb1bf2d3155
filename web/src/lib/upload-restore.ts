import { type ChunkPlan, chunkLength } from './chunk-plan.ts'
import type { UnfinishedUpload } from './unfinished-uploads.ts'
import { createBatch } from './upload-batches.ts'
import { addTransfer, createEntry, type Entry, type NewUpload, type UploadTarget } from './upload-entries.ts'

/** Whether a chosen file looks like one whose upload was left unfinished; its fingerprint has the last word. */
export function isSameFile(
  record: UnfinishedUpload,
  { source, relativePath }: NewUpload,
  target: UploadTarget,
): boolean {
  return (
    record.name === source.name &&
    record.size === source.size &&
    record.lastModified === source.lastModified &&
    record.parentFolderId === target.parentFolderId &&
    record.relativePath === relativePath &&
    !target.isEncrypted
  )
}

/** An unfinished upload as a paused entry without its file; `received` are the chunks that the server has. */
export function restoreEntry(record: UnfinishedUpload, received: readonly number[]): Entry {
  const { uploadId, name, size, chunkSize, parentFolderId, relativePath, lastModified } = record
  const plan: ChunkPlan = { size, chunkSize, totalChunks: Math.ceil(size / chunkSize) }
  const entry = createEntry(uploadId, 'file', name, createBatch('file'))
  addTransfer(entry, {
    uploadId,
    entry,
    name,
    plan,
    destination: { parentFolderId, relativePath },
    lastModified,
    status: 'paused',
    sent: received.reduce((total, index) => total + chunkLength(plan, index), 0),
    isBegun: true,
    isRetrying: false,
    onConflict: 'fail',
  })
  return entry
}
