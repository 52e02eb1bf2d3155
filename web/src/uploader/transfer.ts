import { FILE_CHUNK_SIZE, FOLDER_CHUNK_SIZE } from '@alcove/contract/limits'
import type { OnConflict } from '@alcove/contract/uploads'
import type { ApiError } from '../api/api.ts'
import type { HeldLock } from '../items/held-locks.ts'
import { randomId } from '../lib/random-id.ts'
import type { UploadDestination, UploadSeal, UploadSource } from './chunked-upload.ts'
import { type ChunkPlan, planChunks } from './planner.ts'
import { createSpeedMeter, type SpeedMeter } from './speed-meter.ts'

/** A file to upload: a `File` or a source that encrypts, with its path if it belongs to a folder. */
export interface NewUpload {
  readonly source: UploadSource
  readonly relativePath?: string
}

export interface UploadTarget {
  readonly parentFolderId?: string
  readonly isEncrypted?: boolean
  /** The name of the folder, for messages. */
  readonly folderName?: string
}

/** The existing item with the name of an upload. */
export type ExistingItem = NonNullable<NonNullable<ApiError['body']>['existing']>

/**
 * The state of a transfer. Only these changes happen:
 *
 *     waiting   -> sending (a slot is free), paused, failed (no free space), cancelled
 *     sending   -> done, conflict, failed, paused, cancelled
 *     paused    -> waiting (resumed), hashing (the file is chosen again), cancelled
 *     hashing   -> waiting (compared, or restarts), cancelled
 *     conflict  -> waiting (keep both, replace), cancelled (skip)
 *     failed    -> waiting (retry), cancelled
 *     done      -> failed (the server has lost the file)
 *
 * `source` is part of the states that can send it. A page that was reloaded has none until the file is chosen again.
 */
export type TransferState =
  /** In the queue, or waiting for the check of the free space. `isAdmitted`: the file fits. */
  | { readonly status: 'waiting'; readonly source: UploadSource; readonly isAdmitted: boolean }
  /** The file was chosen again and is being compared with the chunks that were sent before the reload. */
  | { readonly status: 'hashing' }
  | { readonly status: 'sending'; readonly source: UploadSource; readonly abort: AbortController; isRetrying: boolean }
  /** `session`: the session has ended, and the transfer resumes by itself when the user signs in again. */
  | { readonly status: 'paused'; readonly by: 'user' | 'session'; readonly source: UploadSource }
  | { readonly status: 'paused'; readonly by: 'reload' }
  /** The name is taken, and the user has to decide. `reason` is the message of the server. */
  | { readonly status: 'conflict'; readonly source: UploadSource; readonly existing: ExistingItem; reason?: string }
  | {
      readonly status: 'failed'
      readonly source: UploadSource
      readonly reason: string
      readonly exceedsQuota: boolean
      /** The locks that prevented it. */
      readonly locks?: readonly HeldLock[]
    }
  /** Cancelled by the user, or skipped because its name is taken. */
  | { readonly status: 'cancelled' }
  /** Stored. The source is kept until the server has confirmed the file. */
  | { readonly status: 'done'; readonly unverified?: UploadSource }

export type TransferStatus = TransferState['status']
export type StateOf<S extends TransferStatus> = Extract<TransferState, { status: S }>

/** The upload of one file. */
export interface Transfer {
  readonly entry: Entry
  readonly name: string
  readonly destination: UploadDestination
  /** Changed by `setState` only. */
  state: TransferState
  /** Bytes that the server has or is receiving. Changed by `setSent` only. */
  sent: number
  onConflict: OnConflict
  /** Replaced when the upload restarts, like all fields below. */
  uploadId: string
  plan: ChunkPlan
  lastModified?: number
  /** The seal, if the upload is encrypted. */
  seal?: UploadSeal
  /** The server may have chunks of the upload, so it is asked before anything is sent. */
  isBegun: boolean
  /** The name of a sibling of the stored file that differs only in case. */
  caseTwin?: string
  /** The received chunks that are verified to match the source; all received chunks if absent. */
  proven?: ReadonlySet<number>
}

/** A row of the upload tray: one file, or a folder with all its files. */
export interface Entry {
  readonly id: string
  readonly kind: 'file' | 'folder'
  readonly name: string
  readonly target: UploadTarget
  readonly batch: Batch
  readonly transfers: Transfer[]
  readonly counts: Record<TransferStatus, number>
  readonly speed: SpeedMeter
  sent: number
  total: number
  /** Files that the server has confirmed. */
  verified: number
  /** The size of the earlier versions that the server deleted to make space. */
  thinnedBytes: number
  /** A message in addition to the state. */
  note?: string
  /** The cached view; absent when it has to be recreated. See `viewOf`. */
  view?: object
}

export function createEntry(id: string, kind: Entry['kind'], name: string, target: UploadTarget, batch: Batch): Entry {
  const counts = { waiting: 0, hashing: 0, sending: 0, paused: 0, conflict: 0, failed: 0, cancelled: 0, done: 0 }
  return {
    id,
    kind,
    name,
    target,
    batch,
    transfers: [],
    counts,
    speed: createSpeedMeter(),
    sent: 0,
    total: 0,
    verified: 0,
    thinnedBytes: 0,
  }
}

/** Adds the upload of a file to an entry. It waits for admission. */
export function addNewTransfer(entry: Entry, { source, relativePath }: NewUpload): void {
  const { parentFolderId, isEncrypted } = entry.target
  addTransfer({
    entry,
    name: source.name,
    destination: { parentFolderId, isEncrypted, relativePath },
    state: { status: 'waiting', source, isAdmitted: false },
    ...{ sent: 0, onConflict: 'fail', isBegun: false },
    ...uploadOf(entry, source),
  })
}

export function addTransfer(transfer: Transfer): void {
  const { entry, state, plan } = transfer
  entry.transfers.push(transfer)
  entry.counts[state.status] += 1
  entry.batch.unsettled += 1
  entry.total += plan.size
  entry.view = undefined
}

/** Returns the fields of a new upload. Files in folders and in the vault are sent in small chunks. */
function uploadOf(entry: Entry, { size, lastModified, seal }: UploadSource) {
  return { uploadId: randomId(), plan: planFor(entry, size), lastModified, seal }
}

function planFor({ kind, target }: Entry, size: number): ChunkPlan {
  return planChunks(size, kind === 'folder' || target.isEncrypted ? FOLDER_CHUNK_SIZE : FILE_CHUNK_SIZE)
}

export function setState(transfer: Transfer, state: TransferState): void {
  const { entry } = transfer
  entry.counts[transfer.state.status] -= 1
  entry.counts[state.status] += 1
  entry.view = undefined
  transfer.state = state
}

/** Sets how much of a file is sent; `now` is given if the bytes went over the network just now. */
export function setSent(transfer: Transfer, sent: number, now?: number): void {
  const { entry } = transfer
  const bytes = sent - transfer.sent
  entry.sent += bytes
  if (now !== undefined) entry.speed.add(bytes, now)
  transfer.sent = sent
  entry.view = undefined
}

/** Restarts a transfer as a new upload of the file in its current state. */
export function startAnew(transfer: Transfer, source: UploadSource): void {
  const { entry } = transfer
  setSent(transfer, 0)
  entry.total += source.size - transfer.plan.size
  Object.assign(transfer, uploadOf(entry, source), { isBegun: false, proven: undefined })
}

/** Returns the source for restarting a failed transfer whose file no longer has the encrypted bytes. */
export function renewedSource({ entry, plan }: Transfer, { source }: StateOf<'failed'>): UploadSource | undefined {
  return source.renewed?.(planFor(entry, plan.size).chunkSize)
}

/** Returns the transfers of an entry that have one of the statuses. */
export function transfersIn<S extends TransferStatus>(
  entry: Entry | undefined,
  ...statuses: readonly S[]
): (Transfer & { state: StateOf<S> })[] {
  if (!entry || !statuses.some((status) => entry.counts[status] > 0)) return []
  return entry.transfers.filter((transfer) => isIn(transfer, statuses))
}

function isIn<S extends TransferStatus>(
  transfer: Transfer,
  statuses: readonly S[],
): transfer is Transfer & { state: StateOf<S> } {
  return (statuses as readonly TransferStatus[]).includes(transfer.state.status)
}

/** The user's decision about a taken name. */
export type ConflictChoice = Exclude<OnConflict, 'fail'> | 'skip'

/** Files that were chosen together. When all have settled, that is announced once. */
export interface Batch {
  readonly kind: 'file' | 'folder'
  /** Whether they are uploaded to the vault. */
  readonly isEncrypted: boolean
  /** Files that have neither been stored nor failed yet. */
  unsettled: number
  stored: number
  failed: number
  /** The size of the earlier versions that the server deleted to make space. */
  thinnedBytes: number
  /** The reason of the first failure. */
  reason?: string
  /** The user's decision for all taken names. */
  choice?: ConflictChoice
}

export type Settlement = 'stored' | 'failed' | 'dropped'

export function createBatch(kind: Batch['kind'], isEncrypted = false): Batch {
  return { kind, isEncrypted, unsettled: 0, stored: 0, failed: 0, thinnedBytes: 0 }
}

/** Counts a file as settled. Returns true if it was the last one and the end must be announced. */
export function settle(batch: Batch, settlement: Settlement, reason?: string): boolean {
  batch.unsettled -= 1
  if (settlement !== 'dropped') batch[settlement] += 1
  if (settlement === 'failed') batch.reason ??= reason
  return batch.unsettled === 0 && batch.stored + batch.failed > 0
}

/** Notes that the server deleted earlier versions to make space for an upload. */
export function noteThinned({ entry }: Transfer, bytes: number): void {
  entry.thinnedBytes += bytes
  entry.batch.thinnedBytes += bytes
  entry.view = undefined
}

/** Counts a stored file as failed. */
export function unsettle(batch: Batch, reason: string): void {
  batch.stored -= 1
  batch.failed += 1
  batch.reason ??= reason
}

/** Counts a failed file as pending again for a retry. An announced end is not announced again. */
export function reopen(batch: Batch): void {
  if (batch.unsettled === 0) {
    batch.stored = 0
    batch.failed = 0
    batch.thinnedBytes = 0
    batch.reason = undefined
  } else {
    batch.failed -= 1
  }
  batch.unsettled += 1
}

/** The operations of the queue that admission, receipts and resuming use. */
export interface QueueAccess {
  readonly entries: ReadonlyMap<string, Entry>
  /** Notifies subscribers of a change. */
  changed(): void
  add(entry: Entry): void
  /** Adds a transfer to the queue. */
  enqueue(transfer: Transfer, source: UploadSource): void
  /** Marks a transfer as failed, and counts it as settled. */
  fail(transfer: Transfer, source: UploadSource, reason: string, exceedsQuota: boolean): void
  /** Cancels an upload and starts a new one of the same file from the beginning. */
  beginAnew(transfer: Transfer, source: UploadSource): void
}
