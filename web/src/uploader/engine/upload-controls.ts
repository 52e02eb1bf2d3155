import { reopen } from './upload-batches.ts'
import { transfersIn, type UploadBoard } from './upload-board.ts'
import { type Entry, type NewUpload, renewedSource, setStatus, type Transfer } from './upload-entries.ts'

/** A failed file, as the list of failures shows it. */
export interface Failure {
  readonly name: string
  readonly reason: string
}

interface Controlling {
  readonly board: UploadBoard
  readonly admit: (transfers: readonly Transfer[]) => Promise<void>
  readonly beginAnew: (transfer: Transfer, source: NewUpload['source']) => void
}

/** What the user may do to uploads, one and all. */
export function createControls({ board, admit, beginAnew }: Controlling) {
  const { entries } = board

  function pause(entryId: string, isSuspended = false): void {
    for (const transfer of transfersIn(entries.get(entryId), 'waiting', 'uploading')) {
      transfer.abort?.abort()
      setStatus(transfer, 'paused')
      transfer.isSuspended = isSuspended
    }
    board.changed()
  }

  function resume(entryId: string): void {
    for (const transfer of transfersIn(entries.get(entryId), 'paused')) if (transfer.source) board.enqueue(transfer)
    board.changed()
  }

  function retry(entryId: string): void {
    const failed = transfersIn(entries.get(entryId), 'failed')
    for (const transfer of failed) {
      reopen(transfer.entry.batch)
      const renewed = renewedSource(transfer)
      if (renewed) beginAnew(transfer, renewed)
      setStatus(transfer, 'waiting')
    }
    void admit(failed)
    board.changed()
  }

  /** Stops an entry and takes it off the list; what it has stored already stays. */
  function cancel(entryId: string): void {
    const entry = entries.get(entryId)
    if (!entry) return
    // A part of a folder is neither 'uploaded successfully' nor failed.
    if (entry.kind === 'folder') Object.assign(entry.batch, { stored: 0, failed: 0 })
    for (const transfer of transfersIn(entry, 'waiting', 'uploading', 'paused', 'conflict', 'failed')) {
      const isUnsettled = transfer.status !== 'failed'
      transfer.abort?.abort()
      setStatus(transfer, 'done')
      transfer.isSkipped = true
      board.giveUp(transfer)
      if (isUnsettled) board.settle(transfer, 'dropped')
    }
    board.remove(entry)
  }

  const forAll = (act: (entryId: string) => void) => {
    for (const id of [...entries.keys()]) act(id)
  }

  return {
    pause: (entryId: string) => pause(entryId),
    resume,
    retry,
    cancel,
    pauseAll: () => forAll((id) => pause(id)),
    resumeAll: () => forAll(resume),
    retryAll: () => forAll((id) => (entries.get(id)?.counts.failed ?? 0) > 0 && retry(id)),

    /** Stops everything because the session is over. */
    suspend: () => forAll((id) => pause(id, true)),

    /** Goes on with what the end of a session stopped. */
    resumeSuspended(): void {
      for (const entry of entries.values()) {
        for (const transfer of transfersIn(entry, 'paused')) {
          if (transfer.isSuspended && transfer.source) board.enqueue(transfer)
        }
      }
      board.changed()
    },

    /**
     * Once the server has had no room for a file, fails those of its folder that still wait and are no smaller, and judges
     * the others again.
     */
    admitSmaller({ entry, plan, reason }: Transfer): void {
      const waiting = transfersIn(entry, 'waiting')
      for (const transfer of waiting) {
        if (transfer.plan.size < plan.size) continue
        setStatus(transfer, 'failed', reason)
        transfer.exceedsQuota = true
        board.settle(transfer, 'failed', reason)
      }
      void admit(waiting.filter(({ status }) => status === 'waiting'))
    },

    /** Fails what still waits of an entry, where the server would refuse all of it. */
    failWaiting(entry: Entry, reason: string): void {
      for (const transfer of transfersIn(entry, 'waiting')) {
        setStatus(transfer, 'failed', reason)
        board.settle(transfer, 'failed', reason)
      }
    },

    /** The first so many failed files of an entry. */
    listFailures(entryId: string, limit: number): Failure[] {
      return transfersIn(entries.get(entryId), 'failed')
        .slice(0, limit)
        .map(({ name, destination, reason = '' }) => ({ name: destination.relativePath ?? name, reason }))
    },

    /** Takes what has ended off the list. */
    clearSettled(): void {
      for (const { id, counts, transfers } of [...entries.values()]) {
        if (counts.done + counts.failed === transfers.length) cancel(id)
      }
    },
  }
}
