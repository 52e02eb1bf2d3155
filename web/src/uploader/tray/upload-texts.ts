import {
  formatCount,
  formatMoment,
  formatSize,
  formatSpeed,
  formatTimeLeft,
  formatTimeLeftInWords,
  plural,
} from '../../lib/format.ts'
import { siteName } from '../../lib/site.ts'
import type { ConflictView, UploadsSnapshot, UploadView } from '../upload-view.ts'
import { describeThinned } from './thinned-text.ts'

/** Returns the tray's heading: the uploads in progress, else those that need the user, else the result. */
export function titleOf(uploads: UploadsSnapshot): string {
  const { views, uploading, waiting, paused, filesInConflict, filesNeeded } = uploads
  const all = formatCount(views.length)
  if (uploading > 0) return `Uploading ${formatCount(uploading)} of ${all}`
  if (waiting > 0) return `${plural(waiting, 'upload')} waiting`
  if (filesInConflict > 0) {
    return filesInConflict === 1 ? 'A name is taken' : `${formatCount(filesInConflict)} names are taken`
  }
  if (filesNeeded > 0)
    return filesNeeded === 1 ? '1 unfinished upload' : `${formatCount(filesNeeded)} unfinished uploads`
  if (paused > 0) return paused === 1 ? 'An upload is paused' : `${formatCount(paused)} uploads are paused`
  return resultOf(uploads)
}

/** Returns how many of all files are stored, failed and skipped. */
export function resultOf({ files, filesStored, filesFailed, filesSkipped }: UploadsSnapshot): string {
  const rest = [
    filesFailed > 0 && `${formatCount(filesFailed)} failed`,
    filesSkipped > 0 && `${formatCount(filesSkipped)} skipped`,
  ]
  return [`${formatCount(filesStored)} of ${formatCount(files)} stored`, ...rest.filter(Boolean)].join(', ')
}

/** Returns the line below the heading: speed and remaining time, or at the end whether the files were compared. */
export function summaryOf(uploads: UploadsSnapshot): string {
  const { uploading, waiting, paused, inConflict, speed, secondsLeft, sent, total, isOffline } = uploads
  const progress = `${formatSize(sent)} of ${formatSize(total)}`
  if (uploading + waiting === 0) {
    return paused + inConflict > 0 ? progress : [formatSize(sent), ...comparisonOf(uploads)].join(', ')
  }
  if (isOffline) return 'You are offline. Uploads resume automatically.'
  if (secondsLeft === undefined) return progress
  return `${formatSpeed(speed)}, ${formatTimeLeftInWords(secondsLeft)}`
}

function comparisonOf({ isVerifying, filesStored, filesVerified }: UploadsSnapshot): string[] {
  if (isVerifying) return ['comparing with the server']
  if (filesStored === 0) return []
  return [filesVerified >= filesStored ? 'compared with the server' : 'not compared with the server']
}

/** Returns the tab's title during uploads, with the progress in whole percent, at most 99. */
export function tabTitleOf({ sent, total }: Pick<UploadsSnapshot, 'sent' | 'total'>): string {
  const percent = total === 0 ? 0 : Math.min(99, Math.floor((sent / total) * 100))
  return `${percent} % · ${siteName}`
}

/** Returns the progress of an upload in whole percent; 100 only when it is done. */
export function percentOf({ sent, total, status }: Pick<UploadView, 'sent' | 'total' | 'status'>): number {
  if (status === 'done') return 100
  return total === 0 ? 0 : Math.min(99, Math.floor((sent / total) * 100))
}

/** Returns the line of details of an upload. */
export function detailsOf(upload: UploadView, isOffline: boolean): string {
  const { kind, status, sent, total, files, filesDone, speed, reason, note } = upload
  const progress =
    kind === 'folder'
      ? `${formatCount(filesDone)} of ${plural(files, 'file')}`
      : `${formatSize(sent)} of ${formatSize(total)}`
  if (note && status !== 'failed' && status !== 'conflict' && status !== 'done') return note
  switch (status) {
    case 'waiting':
      return kind === 'folder' ? `Waiting, ${progress}` : 'Waiting'
    case 'uploading':
      if (isOffline) return `${progress}, waiting for the connection`
      if (upload.isRetrying) return `${progress}, trying again`
      return [progress, ...pace(speed, total - sent)].join(', ')
    case 'paused':
      return upload.filesNeeded > 0 ? neededIn(upload) : `Paused at ${progress}`
    case 'conflict':
      return reason ?? `A file or folder named "${upload.conflict?.name}" already exists here.`
    case 'failed':
      return kind === 'folder'
        ? `${formatCount(upload.filesFailed)} of ${plural(files, 'file')} failed. ${reason}`
        : `${reason}`
    case 'done': {
      const done = kind === 'folder' ? `Uploaded, ${plural(filesDone, 'file')}` : `Uploaded, ${formatSize(total)}`
      return upload.thinnedBytes > 0 ? `${done}. ${describeThinned(upload.thinnedBytes)}` : done
    }
  }
}

function neededIn({ kind, isChecking, filesNeeded, sent }: UploadView): string {
  if (isChecking) return 'Checking that this is the same file'
  if (kind === 'folder') return `Choose the folder again to resume, ${plural(filesNeeded, 'file')} left`
  return sent > 0 ? `Choose the file again to resume at ${formatSize(sent)}` : 'Choose the file again to upload it'
}

/** Returns the size and date of both files of a name conflict. */
export function sidesOf({ size, lastModified, existing }: ConflictView): { label: string; text: string }[] {
  const mine = [formatSize(size), lastModified && formatMoment(new Date(lastModified).toISOString())]
  const there = existing.type === 'folder' ? 'a folder' : formatSize(existing.size)
  return [
    { label: 'Yours', text: mine.filter(Boolean).join(', ') },
    { label: `In ${siteName}`, text: `${there}, ${formatMoment(existing.modifiedAt ?? existing.updatedAt)}` },
  ]
}

/** Returns the name of the folder that an upload goes to. */
export function placeOf({ folderId, folderName, isEncrypted }: UploadView): string {
  return folderName ?? (folderId ? 'a folder' : isEncrypted ? 'the vault' : 'Root')
}

function pace(speed: number, bytesLeft: number): string[] {
  if (speed <= 0) return []
  return [formatSpeed(speed), formatTimeLeft(bytesLeft / speed)]
}
