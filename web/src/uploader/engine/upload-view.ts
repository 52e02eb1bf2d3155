import type { ApiError } from '../../api/api.ts'

/** `conflict`: the name is taken, and the user is to say what happens. */
export type UploadStatus = 'waiting' | 'uploading' | 'paused' | 'conflict' | 'failed' | 'done'

/** What has the name that an upload asked for. */
export type ExistingItem = NonNullable<NonNullable<ApiError['body']>['existing']>

/** A name that is taken, with both sides of it. */
export interface ConflictView {
  readonly name: string
  readonly size: number
  readonly lastModified?: number
  readonly existing?: ExistingItem
}

/** An entry as it is shown: never changes, a new one takes its place. */
export interface UploadView {
  readonly id: string
  readonly kind: 'file' | 'folder'
  readonly name: string
  readonly status: UploadStatus
  readonly reason?: string
  readonly note?: string
  readonly sent: number
  readonly total: number
  readonly files: number
  readonly filesDone: number
  readonly filesFailed: number
  readonly filesInConflict: number
  /** The first of the names that are taken. */
  readonly conflict?: ConflictView
  readonly speed: number
  readonly isRetrying: boolean
  readonly isChecking: boolean
  /** Some of it failed for want of room. */
  readonly exceedsQuota: boolean
  /** Where it goes; the folder itself is absent at the root. */
  readonly folderId?: string
  readonly folderName?: string
  readonly isEncrypted: boolean
  /** Paused since a reload: how many of its files must be chosen again. */
  readonly filesNeeded: number
}
