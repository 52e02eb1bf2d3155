import type { File as StoredFile } from '@alcove/contract/items'
import { ApiError } from '../../api/api.ts'
import type { UnfinishedUploads } from '../resume/unfinished-uploads.ts'
import { digestChunk } from '../transport/chunk-digest.ts'
import { UploadFailed, uploadInChunks } from '../transport/chunked-upload.ts'
import { setSent, setStatus, type Transfer } from './upload-entries.ts'
import type { UploadEnvironment } from './upload-environment.ts'
import type { ChunkBytes } from './upload-source.ts'

interface Runner {
  readonly environment: UploadEnvironment
  readonly unfinished: UnfinishedUploads
  readonly onProgress: (bytes: number, now: number) => void
  readonly onChange: () => void
  readonly onStored: (transfer: Transfer, file: StoredFile) => void
  readonly onFailed: (transfer: Transfer, error: unknown, reason: string) => void
  /** The name is taken, by what stands in the response where that is known. */
  readonly onTaken: (transfer: Transfer, existing: Transfer['existing'], reason: string | undefined) => void
  readonly onSessionOver: () => void
}

const STORAGE_FAILED =
  "This browser's storage failed, so the encrypted upload was stopped. Free some disk space, then try again."

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
          proven: transfer.proven,
          signal: abort.signal,
          onChunk: (index, chunk) => {
            const noted = noteChunk(transfer, index, chunk)
            // What is encrypted is proved by all that was ever sent, so that is written down before.
            return source.seal ? noted : undefined
          },
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
      unfinished.forget(transfer.uploadId)
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

  /** Stores the digest of a chunk that is sent, so that the file can be proved to be the same when it is chosen again. */
  async function noteChunk({ uploadId, plan, source }: Transfer, index: number, chunk: ChunkBytes): Promise<void> {
    if (plan.totalChunks === 1) return
    const digest = await digestChunk(chunk).catch(() => undefined)
    if (digest && (await unfinished.noteChunk(uploadId, index, digest))) return
    // A sealed chunk without a digest must never be followed by other bytes under its seal. So either no later page can
    // resume this upload, or the chunk stays here.
    if (source?.seal && !(await unfinished.abandon(uploadId))) throw new UploadFailed(STORAGE_FAILED)
  }

  function stop(transfer: Transfer, error: unknown): void {
    if (error instanceof ApiError && error.status === 401) {
      setStatus(transfer, 'paused')
      transfer.isSuspended = true
      runner.onSessionOver()
    } else if (error instanceof ApiError && error.body?.code === 'name_taken') {
      runner.onTaken(transfer, error.body.existing, error.text)
    } else {
      const reason = (error instanceof ApiError && error.text) || (error instanceof Error && error.message) || ''
      setStatus(transfer, 'failed', reason)
      runner.onFailed(transfer, error, reason)
    }
    runner.onChange()
  }
}
