import { MAX_VERIFIED_UPLOADS } from '@alcove/contract/limits'
import { withRetries } from '../../api/retries.ts'
import { type Batch, unsettle } from '../engine/upload-batches.ts'
import type { UploadBoard } from '../engine/upload-board.ts'
import { setStatus, startAnew, type Transfer } from '../engine/upload-entries.ts'
import type { UploadEnvironment } from '../engine/upload-environment.ts'

const LOST = 'The server does not have it as it was sent. Retry to send it again.'

/** Compares what was sent with what the server has, when all that was chosen in one go has ended. */
export function createReceipts(board: UploadBoard, { transport, connection }: UploadEnvironment) {
  const signal = new AbortController().signal
  let running = 0

  async function confirm(batch: Batch): Promise<void> {
    const sent = listSent(board, batch)
    running += 1
    board.changed()
    try {
      for (let start = 0; start < sent.length; start += MAX_VERIFIED_UPLOADS) {
        const some = sent.slice(start, start + MAX_VERIFIED_UPLOADS)
        const uploadIds = some.map(({ uploadId }) => uploadId)
        const ask = () => transport.verifyUploads(uploadIds, signal)
        const { stored, gone } = await withRetries(ask, { signal, connection })
        const sizes = new Map(stored.map(({ uploadId, size }) => [uploadId, size]))
        const goneSince = new Set(gone)
        for (const transfer of some) {
          const isThere = sizes.get(transfer.uploadId) === transfer.plan.size || goneSince.has(transfer.uploadId)
          if (isThere) setVerified(transfer)
          else setLost(transfer, batch)
        }
      }
    } catch {
      // It could not be asked: the rows say that they were uploaded, and not that they were compared.
    }
    running -= 1
    board.changed()
  }

  return { confirm, isRunning: () => running > 0 }
}

function listSent({ entries }: UploadBoard, batch: Batch): Transfer[] {
  return [...entries.values()]
    .filter((entry) => entry.batch === batch)
    .flatMap(({ transfers }) => transfers)
    .filter(({ status, isSkipped, isVerified }) => status === 'done' && !isSkipped && !isVerified)
}

function setVerified(transfer: Transfer): void {
  transfer.isVerified = true
  transfer.source = undefined
  transfer.entry.verified += 1
}

function setLost(transfer: Transfer, batch: Batch): void {
  unsettle(batch, LOST)
  setStatus(transfer, 'failed', LOST)
  if (transfer.source) startAnew(transfer, transfer.source)
}
