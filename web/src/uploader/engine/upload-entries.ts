import { FILE_CHUNK_SIZE, FOLDER_CHUNK_SIZE } from '@alcove/contract/limits'
import type { OnConflict } from '@alcove/contract/uploads'
import { randomId } from '../../lib/random-id.ts'
import { type ChunkPlan, planChunks } from '../transport/chunk-plan.ts'
import type { UploadDestination } from '../transport/chunked-upload.ts'
import { createSpeedMeter, type SpeedMeter } from '../transport/speed-meter.ts'
import type { Batch } from './upload-batches.ts'
import type { UploadSeal, UploadSource } from './upload-source.ts'
import type { ExistingItem, UploadStatus, UploadView } from './upload-view.ts'

/** A file to upload: a `File` as it is, with its path where it belongs to a folder. */
export interface NewUpload {
  readonly source: UploadSource & { readonly lastModified?: number }
  readonly relativePath?: string
}

export interface UploadTarget {
  readonly parentFolderId?: string
  readonly isEncrypted?: boolean
  /** The name of that folder, to say where the uploads go. */
  readonly folderName?: string
}

/** The upload of one file. */
export interface Transfer {
  /** Another one when the upload starts again from nothing. */
  uploadId: string
  readonly entry: Entry
  readonly name: string
  plan: ChunkPlan
  readonly destination: UploadDestination
  lastModified?: number
  /** Of an encrypted one. */
  seal?: UploadSeal
  /** Absent after a reload, until the file is chosen again, and once the file is stored. */
  source?: UploadSource
  /** Of the chunks that the server has, those that are proved to be of `source`; all of them where this is absent. */
  proven?: ReadonlySet<number>
  status: UploadStatus
  sent: number
  /** The server may know it already, so a new start asks first. */
  isBegun: boolean
  isRetrying: boolean
  /** The file was chosen again, and is compared with what was sent. */
  isChecking: boolean
  /** Stopped because the session ended: goes on by itself when its user is back. */
  isSuspended: boolean
  /** Left out, because its name is taken. */
  isSkipped: boolean
  /** The server has confirmed that it is stored as it was sent. */
  isVerified: boolean
  onConflict: OnConflict
  existing?: ExistingItem
  reason?: string
  /** It failed for want of room. */
  exceedsQuota: boolean
  abort?: AbortController
}

/** A row of the upload tray: one file, or a folder with all its files. */
export interface Entry {
  readonly id: string
  readonly kind: 'file' | 'folder'
  readonly name: string
  readonly target: UploadTarget
  readonly batch: Batch
  readonly transfers: Transfer[]
  readonly counts: Record<UploadStatus, number>
  readonly speed: SpeedMeter
  sent: number
  total: number
  /** The files that were left out because their names are taken. */
  skipped: number
  verified: number
  /** What there is to say about it besides its state. */
  note?: string
  view?: UploadView
}

export function createEntry(id: string, kind: Entry['kind'], name: string, target: UploadTarget, batch: Batch): Entry {
  const counts = { waiting: 0, uploading: 0, paused: 0, conflict: 0, failed: 0, done: 0 }
  const sums = { sent: 0, total: 0, skipped: 0, verified: 0 }
  return { id, kind, name, target, batch, transfers: [], counts, speed: createSpeedMeter(), ...sums }
}

/** The upload of a file, waiting: in small chunks for the files of a folder and for the vault, else in large ones. */
export function createTransfer(entry: Entry, { source, relativePath }: NewUpload): Transfer {
  const { parentFolderId, isEncrypted } = entry.target
  return {
    uploadId: randomId(),
    entry,
    name: source.name,
    plan: planFor(entry, source.size),
    destination: { parentFolderId, isEncrypted, relativePath },
    lastModified: source.lastModified,
    seal: source.seal,
    source,
    ...{ status: 'waiting', sent: 0, onConflict: 'fail' },
    ...{ isBegun: false, isRetrying: false, isChecking: false, isSuspended: false },
    ...{ isSkipped: false, isVerified: false, exceedsQuota: false },
  }
}

function planFor({ kind, target }: Entry, size: number): ChunkPlan {
  return planChunks(size, kind === 'folder' || target.isEncrypted ? FOLDER_CHUNK_SIZE : FILE_CHUNK_SIZE)
}

export function addTransfer(entry: Entry, transfer: Transfer): void {
  entry.transfers.push(transfer)
  entry.counts[transfer.status] += 1
  entry.batch.unsettled += 1
  entry.total += transfer.plan.size
  entry.sent += transfer.sent
  entry.view = undefined
}

export function setStatus(transfer: Transfer, status: UploadStatus, reason?: string): void {
  const { entry } = transfer
  entry.counts[transfer.status] -= 1
  entry.counts[status] += 1
  entry.view = undefined
  transfer.status = status
  transfer.reason = reason
  Object.assign(transfer, { isRetrying: false, isSuspended: false, exceedsQuota: false, existing: undefined })
}

/** Sets how much of a file is sent; `now` is given when the bytes went over the network just now. */
export function setSent(transfer: Transfer, sent: number, now?: number): void {
  const { entry } = transfer
  const bytes = sent - transfer.sent
  entry.sent += bytes
  if (now !== undefined) entry.speed.add(bytes, now)
  transfer.sent = sent
  entry.view = undefined
}

/** Makes a transfer begin anew, as another upload, with the file as it is now. */
export function startAnew(transfer: Transfer, source: NewUpload['source']): void {
  const { entry } = transfer
  setSent(transfer, 0)
  entry.total += source.size - transfer.plan.size
  transfer.uploadId = randomId()
  transfer.plan = planFor(entry, source.size)
  transfer.lastModified = source.lastModified
  transfer.seal = source.seal
  transfer.source = source
  transfer.proven = undefined
  transfer.isBegun = false
}

/** What a transfer has to begin anew with, since its file no longer has the bytes that were encrypted; else undefined. */
export function renewedSource({ entry, plan, source }: Transfer): NewUpload['source'] | undefined {
  return source?.renewed?.(planFor(entry, plan.size).chunkSize)
}

/** The status of an entry: what is going on in it comes first, then what waits for the user, then how it ended. */
export function statusOf({ counts }: Entry): UploadStatus {
  const order = ['uploading', 'waiting', 'conflict', 'paused', 'failed'] as const
  return order.find((status) => counts[status] > 0) ?? 'done'
}
