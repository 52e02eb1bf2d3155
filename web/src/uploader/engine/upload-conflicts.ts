import type { ConflictChoice } from './upload-batches.ts'
import { transfersIn, type UploadBoard } from './upload-board.ts'
import { type Entry, setSent, setStatus, type Transfer } from './upload-entries.ts'

/** What happens to files whose names are taken. */
export function createConflicts(board: UploadBoard) {
  function answerOne(transfer: Transfer, response: ConflictChoice): void {
    if (response !== 'skip') {
      transfer.onConflict = response
      board.enqueue(transfer)
      return
    }
    const { entry } = transfer
    board.giveUp(transfer)
    setSent(transfer, transfer.plan.size)
    setStatus(transfer, 'done')
    transfer.isSkipped = true
    entry.skipped += 1
    board.settle(transfer, 'dropped')
    if (entry.skipped === entry.transfers.length) board.remove(entry)
  }

  return {
    /** A name is taken: asks, unless the user has answered for all. */
    meet(transfer: Transfer, existing: Transfer['existing'], reason: string | undefined): void {
      setStatus(transfer, 'conflict', reason)
      transfer.existing = existing
      const { response } = transfer.entry.batch
      // A response that did not help is not given again.
      if (response && transfer.onConflict === 'fail') answerOne(transfer, response)
    },

    /** Says what happens to the first taken name of an entry, or to all that are taken now and later in what was chosen. */
    resolve(entryId: string, response: ConflictChoice, forAll: boolean): void {
      const entry = board.entries.get(entryId)
      if (!entry) return
      const requested: Entry[] = forAll
        ? [...board.entries.values()].filter(({ counts }) => counts.conflict > 0)
        : [entry]
      for (const one of requested) {
        const transfers = transfersIn(one, 'conflict')
        if (forAll) one.batch.response = response
        for (const transfer of forAll ? transfers : transfers.slice(0, 1)) answerOne(transfer, response)
      }
      board.changed()
    },
  }
}
