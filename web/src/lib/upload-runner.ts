import type { File as StoredFile } from '@alcove/contract/items'
import { ApiError } from './api.ts'
import { type UploadEnvironment, uploadInChunks } from './chunked-upload.ts'
import type { UnfinishedUploads } from './unfinished-uploads.ts'
import { setSent, setStatus, type Transfer } from './upload-entries.ts'
import { takeFingerprint } from './upload-fingerprint.ts'

interface Runner {
  readonly environment: UploadEnvironment
  readonly unfinished: UnfinishedUploads
  /** The e-mail address of the user who uploads. */
  readonly owner: () => string | undefined
  readonly onProgress: (bytes: number, now: number) => void
  readonly onChange: () => void
  readonly onStored: (transfer: Transfer, file: StoredFile) => void
  readonly onFailed: (transfer: Transfer, error: unknown, reason: string) => void
  readonly onSessionOver: () => void
}

/** Makes the function that carries one transfer from 'waiting' to its end, or to where it was paused. */
export function createRunner(runner: Runner) {
  const { environment, unfinished } = runner

  return async function run(transfer: Transfer): Promise<void> {
    const { source } = transfer
    if (!source) return
    const abort = new AbortController()
    transfer.abort = abort
    setStatus(transfer, 'uploading')
    runner.onChange()
    try {
      if (transfer.plan.totalChunks > 1) await remember(transfer, source)
      abort.signal.throwIfAborted()
      const resumes = transfer.isBegun
      transfer.isBegun = true
      const stored = await uploadInChunks(
        {
          uploadId: transfer.uploadId,
          source,
          destination: transfer.destination,
          plan: transfer.plan,
          onConflict: transfer.onConflict,
          resumes,
          signal: abort.signal,
          onProgress: reportProgress(transfer, abort.signal, resumes),
          onRetry: () => {
            transfer.isRetrying = true
            transfer.entry.view = undefined
            runner.onChange()
          },
        },
        environment,
      )
      if (abort.signal.aborted) return
      setSent(transfer, transfer.plan.size)
      setStatus(transfer, 'done')
      transfer.source = undefined
      if (transfer.plan.totalChunks > 1) void unfinished.forget(transfer.uploadId)
      runner.onStored(transfer, stored)
    } catch (error) {
      if (!abort.signal.aborted) stop(transfer, error) // else whoever aborted it has said what it is now
    }
  }

  /** Counts what is sent; the first word of a resumed upload is what was there before, and no speed. */
  function reportProgress(transfer: Transfer, signal: AbortSignal, resumes: boolean) {
    let isFirst = resumes
    return (sent: number) => {
      if (signal.aborted) return
      const now = isFirst ? undefined : performance.now()
      if (now !== undefined) runner.onProgress(sent - transfer.sent, now)
      isFirst = false
      transfer.isRetrying = false
      setSent(transfer, sent, now)
      runner.onChange()
    }
  }

  /** Writes down what it takes to go on after a reload. */
  async function remember(transfer: Transfer, source: NonNullable<Transfer['source']>): Promise<void> {
    const owner = runner.owner()
    const { uploadId, name, plan, destination, lastModified } = transfer
    if (!owner || lastModified === undefined || destination.isEncrypted || transfer.isBegun) return
    const fingerprint = await takeFingerprint(source)
    if (!fingerprint) return
    const { parentFolderId, relativePath } = destination
    const { size, chunkSize } = plan
    const startedAt = Date.now()
    await unfinished.remember({
      ...{ uploadId, owner, name, size, lastModified, fingerprint, chunkSize },
      ...{ parentFolderId, relativePath, startedAt },
    })
  }

  function stop(transfer: Transfer, error: unknown): void {
    if (error instanceof ApiError && error.status === 401) {
      setStatus(transfer, 'paused')
      runner.onSessionOver()
    } else if (error instanceof ApiError && error.body?.code === 'name_taken') {
      setStatus(transfer, 'conflict', error.text)
    } else {
      const reason = (error instanceof ApiError && error.text) || (error instanceof Error && error.message) || ''
      setStatus(transfer, 'failed', reason)
      runner.onFailed(transfer, error, reason)
    }
    runner.onChange()
  }
}
