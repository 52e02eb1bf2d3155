import { notifyError } from '../../ui/toasts/notify.tsx'
import type { UploadTarget } from '../transfer.ts'
import { uploads } from '../uploads.ts'
import { type Chosen, type FolderOfFiles, groupByFolder, readDropped, renamePasted } from './chosen-files.ts'

export function uploadFiles(files: readonly File[], target: UploadTarget): void {
  if (files.length === 0) return
  uploads.addFiles(
    files.map((source) => ({ source })),
    target,
  )
}

/** Uploads the files of a folder input. */
export function uploadFolders(files: readonly File[], target: UploadTarget): void {
  if (files.length === 0) notifyError('Folder upload failed: the folder is empty.')
  for (const folder of groupByFolder(files)) uploadFolder(folder, target)
}

/** Uploads dropped files and folders. Must be called during the drop event. */
export function uploadDropped(items: DataTransferItem[], target: UploadTarget): Promise<void> {
  return uploadRead(readDropped(items), target)
}

/** Uploads pasted files, and names pictures without a name. Must be called during the paste event. */
export function uploadPasted(items: DataTransferItem[], target: UploadTarget): Promise<void> {
  const reading = readDropped(items)
  return uploadRead(
    reading.then(({ files, folders }) => ({ folders, files: files.map((file) => renamePasted(file)) })),
    target,
  )
}

async function uploadRead(reading: Promise<Chosen>, target: UploadTarget): Promise<void> {
  try {
    const { files, folders } = await reading
    uploadFiles(files, target)
    for (const folder of folders) uploadFolder(folder, target)
  } catch {
    notifyError('Folder upload failed: the folder cannot be read.')
  }
}

function uploadFolder({ name, files, emptyFolders }: FolderOfFiles, target: UploadTarget): void {
  uploads.addFolder(name, files, target, emptyFolders)
}
