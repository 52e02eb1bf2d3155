import { ApiError } from './api.ts'
import type { UnfinishedUpload, UnfinishedUploads } from './unfinished-uploads.ts'
import type { Entry, NewUpload, UploadTarget } from './upload-entries.ts'
import { takeFingerprint } from './upload-fingerprint.ts'
import { isSameFile, restoreEntry } from './upload-restore.ts'
import type { UploadTransport } from './upload-transport.ts'

interface Resuming {
  readonly transport: UploadTransport
  readonly unfinished: UnfinishedUploads
  readonly entries: ReadonlyMap<string, Entry>
  readonly isOwner: (user: string) => boolean
  /** Shows what was found unfinished. */
  readonly onFound: (entry: Entry) => void
  readonly resume: (entryId: string) => void
}

const ANOTHER_FILE = 'This is another file, or it has changed since. Choose the one whose upload began.'

/** Brings back what a reload interrupted, and goes on with it when its file is chosen again. */
export function createResuming({ transport, unfinished, entries, isOwner, onFound, resume }: Resuming) {
  const records = new Map<string, UnfinishedUpload>()

  /** Shows an upload of before, unless another tab is still busy with it or the server has it no more. */
  async function restore(record: UnfinishedUpload): Promise<void> {
    const { uploadId, owner } = record
    if (entries.has(uploadId) || !(await unfinished.claim(uploadId))) return
    const known = await transport
      .getUpload(uploadId, new AbortController().signal)
      .catch((error: unknown) => (error instanceof ApiError && error.status === 404 ? 'gone' : 'unknown'))
    if (known === 'gone' || (typeof known === 'object' && known.file)) return unfinished.forget(uploadId)
    if (!isOwner(owner) || entries.has(uploadId)) return
    records.set(uploadId, record)
    onFound(restoreEntry(record, typeof known === 'object' ? known.received : []))
  }

  async function restoreAll(user: string): Promise<void> {
    for (const record of await unfinished.list(user)) void restore(record)
  }

  /**
   * Goes on with an upload, given its file anew. Gives back what is wrong, in words, when the file is not the one whose
   * first part the server has.
   */
  async function resumeWith(entryId: string, source: NewUpload['source']): Promise<string | undefined> {
    const record = records.get(entryId)
    const [transfer] = entries.get(entryId)?.transfers ?? []
    if (!record || !transfer || transfer.source) return undefined
    const isLikely = source.size === record.size && source.lastModified === record.lastModified
    const fingerprint = isLikely ? await takeFingerprint(source).catch(() => undefined) : undefined
    if (fingerprint !== record.fingerprint) return ANOTHER_FILE
    records.delete(entryId)
    transfer.source = source
    resume(entryId)
    return undefined
  }

  /** Goes on with those of the chosen files whose upload was left unfinished, and gives the others to `addNew`. */
  function takeUp(files: readonly NewUpload[], target: UploadTarget, addNew: (file: NewUpload) => void): NewUpload[] {
    if (records.size === 0) return [...files]
    return files.filter((file) => {
      const record = [...records.values()].find((one) => isSameFile(one, file, target))
      if (!record) return true
      void resumeWith(record.uploadId, file.source).then((problem) => problem && addNew(file))
      return false
    })
  }

  return { restoreAll, resumeWith, takeUp, forget: (entryId: string) => void records.delete(entryId) }
}
