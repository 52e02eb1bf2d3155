import type { Settlement } from './upload-batches.ts'
import type { Entry, Transfer } from './upload-entries.ts'
import type { UploadStatus } from './upload-view.ts'

/** What the parts of the upload store share: all rows, and what may be done to them. */
export interface UploadBoard {
  readonly entries: Map<string, Entry>
  /** Something is to be shown anew. */
  changed(): void
  add(entry: Entry): void
  remove(entry: Entry): void
  /** Puts a transfer in the queue. */
  enqueue(transfer: Transfer): void
  /** Counts a transfer as ended. */
  settle(transfer: Transfer, settlement: Settlement, reason?: string): void
  /** Forgets an upload, here and on the server, so that its room is free again. */
  giveUp(transfer: Transfer): void
}

/** The transfers of an entry that have one of the given statuses. */
export function transfersIn(entry: Entry | undefined, ...statuses: readonly UploadStatus[]): Transfer[] {
  if (!entry || !statuses.some((status) => entry.counts[status] > 0)) return []
  return entry.transfers.filter(({ status }) => statuses.includes(status))
}
