import type { UploadedFile } from '@alcove/contract/uploads'
import { ApiError } from '../api/api.ts'
import { type UploadEnvironment, UploadFailed, type UploadSource, uploadInChunks } from './chunked-upload.ts'
import { digestChunk } from './resume.ts'
import { type ExistingItem, type StateOf, setSent, setState, type Transfer } from './transfer.ts'
import type { ChunkBytes } from './transport.ts'
import type { UnfinishedUploads } from './unfinished-uploads.ts'

interface Runner {
  readonly environment: UploadEnvironment
  readonly unfinished: UnfinishedUploads
  readonly onProgress: (bytes: number, now: number) => void
  readonly onChange: () => void
  readonly onStored: (transfer: Transfer, file: UploadedFile) => void
  readonly onFailed: (transfer: Transfer, source: UploadSource, error: unknown) => void
  /** The name is taken by `existing`. */
  readonly onTaken: (transfer: Transfer, source: UploadSource, existing: ExistingItem, reason?: string) => void
  readonly onSessionOver: () => void
  /** The server doesn't know the upload: it belongs to a submission that has ended. */
  readonly onUnknown: (transfer: Transfer, source: UploadSource) => void
}

const STORAGE_FAILED =
  "This browser's storage failed, so the encrypted upload was stopped. Free some disk space, then try again."

/** Creates the function that runs a waiting transfer until it settles or pauses. */
export function createRunner(runner: Runner) {
  const { environment, unfinished } = runner
  const { isForVisitor = false } = environment
  /** The transfers that have been restarted, which happens once. */
  const restarted = new WeakSet<Transfer>()

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
            // Resuming an encrypted file verifies every chunk that was sent, so the digest is stored before sending.
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
      if (!abort.signal.aborted) stop(transfer, source, error) // an abort has set the state already
    }
  }

  /** Counts sent bytes. The first report of a resumed upload doesn't affect the speed: it has the bytes sent before. */
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

  /** Stores the digest of a sent chunk, to verify the file when it is chosen again. */
  async function noteChunk(
    { uploadId, plan }: Transfer,
    source: UploadSource,
    index: number,
    chunk: ChunkBytes,
  ): Promise<void> {
    if (plan.totalChunks === 1) return
    const digest = await digestChunk(chunk).catch(() => undefined)
    if (digest && (await unfinished.noteChunk(uploadId, index, digest))) return
    // Once a sealed chunk is sent, other bytes must never be encrypted under its seal. Without the digest this cannot
    // be verified, so the record is deleted, or else the chunk is not sent.
    if (source.seal && !(await unfinished.abandon(uploadId))) throw new UploadFailed(STORAGE_FAILED)
  }

  function stop(transfer: Transfer, source: UploadSource, error: unknown): void {
    if (error instanceof ApiError && (error.status === 401 || error.body?.code === 'password_required')) {
      setState(transfer, { status: 'paused', by: 'session', source })
      runner.onSessionOver()
    } else if (error instanceof ApiError && error.status === 404 && isForVisitor && !restarted.has(transfer)) {
      restarted.add(transfer)
      runner.onUnknown(transfer, source)
    } else if (error instanceof ApiError && error.body?.code === 'name_taken' && error.body.existing && !isForVisitor) {
      // Without the existing item, a file is in the way of a folder, and no choice for this file helps.
      runner.onTaken(transfer, source, error.body.existing, error.text)
    } else {
      runner.onFailed(transfer, source, error)
    }
    runner.onChange()
  }
}
