import type { File as StoredFile } from '@alcove/contract/items'
import { ApiError } from '../api/api.ts'
import { type UploadEnvironment, UploadFailed, uploadInChunks } from './chunked-upload.ts'
import { digestChunk } from './resume.ts'
import { type DatedSource, type ExistingItem, type StateOf, setSent, setState, type Transfer } from './transfer.ts'
import type { ChunkBytes } from './transport.ts'
import type { UnfinishedUploads } from './unfinished-uploads.ts'

interface Runner {
  readonly environment: UploadEnvironment
  readonly unfinished: UnfinishedUploads
  readonly onProgress: (bytes: number, now: number) => void
  readonly onChange: () => void
  readonly onStored: (transfer: Transfer, file: StoredFile) => void
  readonly onFailed: (transfer: Transfer, source: DatedSource, error: unknown) => void
  /** The name is taken, by the item in the response if it names one. */
  readonly onTaken: (transfer: Transfer, source: DatedSource, existing?: ExistingItem, reason?: string) => void
  readonly onSessionOver: () => void
}

const STORAGE_FAILED =
  "This browser's storage failed, so the encrypted upload was stopped. Free some disk space, then try again."

/** Creates the function that takes one transfer from `waiting` to where it ends or pauses. */
export function createRunner(runner: Runner) {
  const { environment, unfinished } = runner

  return async function run(transfer: Transfer): Promise<void> {
    if (transfer.state.status !== 'waiting') return
    const { source } = transfer.state
    const abort = new AbortController()
    const sending: StateOf<'sending'> = { status: 'sending', source, abort, isRetrying: false }
    setState(transfer, sending)
    runner.onChange()
    try {
      const { uploadId, destination, plan, onConflict, proven, isBegun: resumes } = transfer
      transfer.isBegun = true
      const stored = await uploadInChunks(
        {
          ...{ uploadId, source, destination, plan, onConflict, resumes, proven, signal: abort.signal },
          onChunk: (index, chunk) => {
            const noted = noteChunk(transfer, source, index, chunk)
            // An encrypted file is proved by every chunk that was ever sent, so the digest is stored before.
            return source.seal ? noted : undefined
          },
          onProgress: reportProgress(transfer, sending, resumes),
          onRetry: () => {
            sending.isRetrying = true
            transfer.entry.view = undefined
            runner.onChange()
          },
        },
        environment,
      )
      if (abort.signal.aborted) return
      setSent(transfer, plan.size)
      setState(transfer, { status: 'done', unverified: source })
      unfinished.forget(uploadId)
      runner.onStored(transfer, stored)
    } catch (error) {
      if (!abort.signal.aborted) stop(transfer, source, error) // else its state was set when it was aborted
    }
  }

  /** Counts what is sent. The first report of a resumed upload is what the server had before, and says nothing of speed. */
  function reportProgress(transfer: Transfer, sending: StateOf<'sending'>, resumes: boolean) {
    let isFirst = resumes
    return (sent: number) => {
      if (sending.abort.signal.aborted) return
      const now = isFirst ? undefined : performance.now()
      if (now !== undefined) runner.onProgress(sent - transfer.sent, now)
      isFirst = false
      sending.isRetrying = false
      setSent(transfer, sent, now)
      runner.onChange()
    }
  }

  /** Stores the digest of a chunk that is sent, so that the file can be proved to be the same when it is chosen again. */
  async function noteChunk(
    { uploadId, plan }: Transfer,
    source: DatedSource,
    index: number,
    chunk: ChunkBytes,
  ): Promise<void> {
    if (plan.totalChunks === 1) return
    const digest = await digestChunk(chunk).catch(() => undefined)
    if (digest && (await unfinished.noteChunk(uploadId, index, digest))) return
    // A sealed chunk without a digest must never be followed by other bytes under its seal. So either no later page can
    // resume this upload, or the chunk stays here.
    if (source.seal && !(await unfinished.abandon(uploadId))) throw new UploadFailed(STORAGE_FAILED)
  }

  function stop(transfer: Transfer, source: DatedSource, error: unknown): void {
    if (error instanceof ApiError && error.status === 401) {
      setState(transfer, { status: 'paused', by: 'session', source })
      runner.onSessionOver()
    } else if (error instanceof ApiError && error.body?.code === 'name_taken') {
      runner.onTaken(transfer, source, error.body.existing, error.text)
    } else {
      runner.onFailed(transfer, source, error)
    }
    runner.onChange()
  }
}
