import {
  formatCount,
  formatSize,
  formatSpeed,
  formatTimeLeft,
  formatTimeLeftInWords,
  plural,
} from '../../lib/format.ts'
import type { UploadView } from '../../lib/upload-entries.ts'
import type { UploadsSnapshot } from '../../lib/upload-snapshot.ts'

/** The tray's heading: what goes on, else what waits for the user, else how it all ended. */
export function titleOf(uploads: UploadsSnapshot): string {
  const { views, uploading, waiting, paused, inConflict, failed } = uploads
  const all = formatCount(views.length)
  if (uploading > 0) return `Uploading ${formatCount(uploading)} of ${all}`
  if (waiting > 0) return `${plural(waiting, 'upload')} waiting`
  if (inConflict > 0) return inConflict === 1 ? 'An upload needs your answer' : `${inConflict} uploads need your answer`
  if (failed > 0) return `${formatCount(failed)} of ${plural(views.length, 'upload')} failed`
  if (paused > 0) return paused === 1 ? 'An upload is paused' : `${formatCount(paused)} uploads are paused`
  return views.length === 1 ? 'Upload finished' : `${all} uploads finished`
}

/** The line below the heading: how fast and how long, as far as that can be told. */
export function summaryOf(uploads: UploadsSnapshot): string {
  const { uploading, waiting, speed, secondsLeft, sent, total, isOffline } = uploads
  if (uploading + waiting === 0) return `${formatSize(sent)} of ${formatSize(total)}`
  if (isOffline) return 'You are offline. Uploads go on by themselves.'
  if (secondsLeft === undefined) return `${formatSize(sent)} of ${formatSize(total)}`
  return `${formatSpeed(speed)}, ${formatTimeLeftInWords(secondsLeft)}`
}

/** How much of an upload is there, in whole percent; 100 only when it is done. */
export function percentOf({ sent, total, status }: Pick<UploadView, 'sent' | 'total' | 'status'>): number {
  if (status === 'done') return 100
  return total === 0 ? 0 : Math.min(99, Math.floor((sent / total) * 100))
}

/** The line of facts of one upload. */
export function factsOf(upload: UploadView, isOffline: boolean): string {
  const { kind, status, sent, total, files, filesDone, speed, reason } = upload
  const progress =
    kind === 'folder'
      ? `${formatCount(filesDone)} of ${plural(files, 'file')}`
      : `${formatSize(sent)} of ${formatSize(total)}`
  switch (status) {
    case 'waiting':
      return kind === 'folder' ? `Waiting, ${progress}` : 'Waiting'
    case 'uploading':
      if (isOffline) return `${progress}, waiting for the connection`
      if (upload.isRetrying) return `${progress}, trying again`
      return [progress, ...pace(speed, total - sent)].join(', ')
    case 'paused':
      return upload.needsFile ? `Choose the file again to resume at ${formatSize(sent)}` : `Paused at ${progress}`
    case 'conflict':
      return upload.filesInConflict === 1 && reason
        ? reason
        : `${plural(upload.filesInConflict, 'file')} with a name that already exists here.`
    case 'failed':
      return kind === 'folder'
        ? `${formatCount(upload.filesFailed)} of ${plural(files, 'file')} failed. ${reason}`
        : `${reason}`
    case 'done':
      return kind === 'folder' ? `Uploaded, ${plural(filesDone, 'file')}` : `Uploaded, ${formatSize(total)}`
  }
}

function pace(speed: number, bytesLeft: number): string[] {
  if (speed <= 0) return []
  return [formatSpeed(speed), formatTimeLeft(bytesLeft / speed)]
}
