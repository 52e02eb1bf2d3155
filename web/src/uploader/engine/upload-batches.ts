import type { OnConflict } from '@alcove/contract/uploads'

/** What the user says about a name that is taken. */
export type ConflictChoice = Exclude<OnConflict, 'fail'> | 'skip'

/** Files chosen in one go, whose end is told once. */
export interface Batch {
  readonly kind: 'file' | 'folder'
  /** They go to the vault. */
  readonly isEncrypted: boolean
  /** Files that have neither been stored nor failed yet. */
  unsettled: number
  stored: number
  failed: number
  /** Why the first of the failed ones failed. */
  reason?: string
  /** What the user has said about all names that are taken. */
  response?: ConflictChoice
}

export type Settlement = 'stored' | 'failed' | 'dropped'

export function createBatch(kind: Batch['kind'], isEncrypted = false): Batch {
  return { kind, isEncrypted, unsettled: 0, stored: 0, failed: 0 }
}

/** Counts a file as settled; gives true when it was the last one and there is an end to tell. */
export function settle(batch: Batch, settlement: Settlement, reason?: string): boolean {
  batch.unsettled -= 1
  if (settlement !== 'dropped') batch[settlement] += 1
  if (settlement === 'failed') batch.reason ??= reason
  return batch.unsettled === 0 && batch.stored + batch.failed > 0
}

/** What was taken for stored is not. */
export function unsettle(batch: Batch, reason: string): void {
  batch.stored -= 1
  batch.failed += 1
  batch.reason ??= reason
}

/** Takes a failed file back, to be tried again; what has been told already will not be told again. */
export function reopen(batch: Batch): void {
  if (batch.unsettled === 0) {
    batch.stored = 0
    batch.failed = 0
    batch.reason = undefined
  } else {
    batch.failed -= 1
  }
  batch.unsettled += 1
}
