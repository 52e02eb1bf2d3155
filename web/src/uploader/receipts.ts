import { MAX_VERIFIED_UPLOADS } from '@alcove/contract/limits'
import { withRetries } from '../api/retries.ts'
import type { UploadEnvironment, UploadSource } from './chunked-upload.ts'
import { type Batch, type QueueAccess, setState, startAnew, type Transfer, transfersIn, unsettle } from './transfer.ts'

const LOST = 'The stored file differs from the one that was sent. Retry to send it again.'

/** Compares the sent files with those on the server, once all files of a batch have settled. */
export function createReceipts(queue: QueueAccess, { transport, connection }: UploadEnvironment) {
  const { signal } = new AbortController()
  let running = 0

  async function confirm(batch: Batch): Promise<void> {
    const sent = [...queue.entries.values()]
      .filter((entry) => entry.batch === batch)
      .flatMap((entry) => transfersIn(entry, 'done'))
      .flatMap((transfer) => (transfer.state.unverified ? { transfer, source: transfer.state.unverified } : []))
    running += 1
    queue.changed()
    try {
      for (let start = 0; start < sent.length; start += MAX_VERIFIED_UPLOADS) {
        const some = sent.slice(start, start + MAX_VERIFIED_UPLOADS)
        const uploadIds = some.map(({ transfer }) => transfer.uploadId)
        const verify = () => transport.verifyUploads(uploadIds, signal)
        const { stored, gone } = await withRetries(verify, { signal, connection })
        const byUpload = new Map(stored.map((one) => [one.uploadId, one]))
        const goneSince = new Set(gone)
        for (const { transfer, source } of some) {
          const { uploadId, plan } = transfer
          const found = byUpload.get(uploadId)
          transfer.caseTwin = found?.caseTwin
          if (found?.size === plan.size || goneSince.has(uploadId)) setVerified(transfer)
          else setLost(transfer, source)
        }
      }
    } catch {
      // The request failed: the rows then say that the files were uploaded, but not that they were compared.
    }
    running -= 1
    queue.changed()
  }

  return { confirm, isRunning: () => running > 0 }
}

function setVerified(transfer: Transfer): void {
  setState(transfer, { status: 'done' })
  transfer.entry.verified += 1
}

function setLost(transfer: Transfer, source: UploadSource): void {
  unsettle(transfer.entry.batch, LOST)
  setState(transfer, { status: 'failed', source, reason: LOST, exceedsQuota: false })
  startAnew(transfer, source)
}
