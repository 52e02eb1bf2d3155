import { FILE_CHUNK_SIZE, FOLDER_CHUNK_SIZE } from '@alcove/contract/limits'
import type { OnConflict } from '@alcove/contract/uploads'
import { type ChunkPlan, planChunks } from './chunk-plan.ts'
import type { UploadDestination } from './chunked-upload.ts'
import { randomId } from './random-id.ts'
import { createSpeedMeter, type SpeedMeter } from './speed-meter.ts'
import type { Batch } from './upload-batches.ts'
import type { UploadSource } from './upload-source.ts'

/** A file to upload: a `File` as it is, with its path where it belongs to a folder. */
export interface NewUpload {
  readonly source: UploadSource & { readonly lastModified?: number }
  readonly relativePath?: string
}

export interface UploadTarget {
  readonly parentFolderId?: string
  readonly isEncrypted?: boolean
}

/** `conflict`: the name is taken, and the user is to say what happens. */
export type UploadStatus = 'waiting' | 'uploading' | 'paused' | 'conflict' | 'failed' | 'done'

/** The upload of one file. */
export interface Transfer {
  readonly uploadId: string
  readonly entry: Entry
  readonly name: string
  readonly plan: ChunkPlan
  readonly destination: UploadDestination
  readonly lastModified?: number
  /** Absent after a reload, until the file is chosen again, and once the file is stored. */
  source?: UploadSource
  status: UploadStatus
  sent: number
  /** The server may know it already, so a new start asks first. */
  isBegun: boolean
  isRetrying: boolean
  onConflict: OnConflict
  reason?: string
  abort?: AbortController
}

/** A row of the upload tray: one file, or a folder with all its files. */
export interface Entry {
  readonly id: string
  readonly kind: 'file' | 'folder'
  readonly name: string
  readonly batch: Batch
  readonly transfers: Transfer[]
  readonly counts: Record<UploadStatus, number>
  readonly speed: SpeedMeter
  sent: number
  total: number
  /** The files of a folder that were left out because their names are taken. */
  skipped: number
  view?: UploadView
}

/** An entry as it is shown: never changes, a new one takes its place. */
export interface UploadView {
  readonly id: string
  readonly kind: 'file' | 'folder'
  readonly name: string
  readonly status: UploadStatus
  readonly reason?: string
  readonly sent: number
  readonly total: number
  readonly files: number
  readonly filesDone: number
  readonly filesFailed: number
  readonly filesInConflict: number
  readonly speed: number
  readonly isRetrying: boolean
  /** Paused since a reload: the file must be chosen again. */
  readonly needsFile: boolean
}

export function createEntry(id: string, kind: Entry['kind'], name: string, batch: Batch): Entry {
  const counts = { waiting: 0, uploading: 0, paused: 0, conflict: 0, failed: 0, done: 0 }
  return { id, kind, name, batch, transfers: [], counts, speed: createSpeedMeter(), sent: 0, total: 0, skipped: 0 }
}

/** The upload of a file, waiting: in small chunks for the files of a folder and for the vault, else in large ones. */
export function createTransfer(entry: Entry, { source, relativePath }: NewUpload, target: UploadTarget): Transfer {
  const chunkSize = entry.kind === 'folder' || target.isEncrypted ? FOLDER_CHUNK_SIZE : FILE_CHUNK_SIZE
  return {
    uploadId: randomId(),
    entry,
    name: source.name,
    plan: planChunks(source.size, chunkSize),
    destination: { ...target, relativePath },
    lastModified: source.lastModified,
    source,
    status: 'waiting',
    sent: 0,
    isBegun: false,
    isRetrying: false,
    onConflict: 'fail',
  }
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
  transfer.isRetrying = false
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

/** The status of an entry: what is going on in it comes first, then what waits for the user, then how it ended. */
export function statusOf({ counts }: Entry): UploadStatus {
  const order = ['uploading', 'waiting', 'paused', 'conflict', 'failed'] as const
  return order.find((status) => counts[status] > 0) ?? 'done'
}

export function viewOf(entry: Entry, now: number): UploadView {
  entry.view ??= createView(entry, now)
  return entry.view
}

function createView(entry: Entry, now: number): UploadView {
  const { id, kind, name, counts, sent, total, transfers, skipped } = entry
  const status = statusOf(entry)
  const speaks = transfers.length === 1 || status === 'failed'
  return {
    id,
    kind,
    name,
    status,
    reason: speaks ? transfers.find(({ reason }) => reason !== undefined)?.reason : undefined,
    sent,
    total,
    files: transfers.length,
    filesDone: counts.done - skipped,
    filesFailed: counts.failed,
    filesInConflict: counts.conflict,
    speed: status === 'uploading' ? entry.speed.read(now) : 0,
    isRetrying: counts.uploading > 0 && transfers.every((t) => t.status !== 'uploading' || t.isRetrying),
    needsFile: status === 'paused' && transfers.length === 1 && transfers[0]?.source === undefined,
  }
}
