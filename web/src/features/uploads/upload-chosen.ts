import { type FolderOfFiles, groupByFolder, readDropped } from '../../lib/folder-files.ts'
import type { UploadTarget } from '../../lib/upload-entries.ts'
import { uploads } from '../../lib/uploads.ts'
import { notifyError } from '../../ui/notify.tsx'

export function uploadFiles(files: readonly File[], target: UploadTarget): void {
  if (files.length === 0) return
  uploads.addFiles(
    files.map((source) => ({ source })),
    target,
  )
}

/** Uploads what an input for folders gave. */
export function uploadFolders(files: readonly File[], target: UploadTarget): void {
  if (files.length === 0) notifyError('Folder upload failed: the folder is empty.')
  for (const folder of groupByFolder(files)) uploadFolder(folder, target)
}

/** Uploads what was dropped: files, folders, or both. To be called during the drop. */
export async function uploadDropped(items: DataTransferItem[], target: UploadTarget): Promise<void> {
  try {
    const { files, folders } = await readDropped(items)
    uploadFiles(files, target)
    for (const folder of folders) uploadFolder(folder, target)
  } catch {
    notifyError('Folder upload failed: the folder cannot be read.')
  }
}

function uploadFolder({ name, files }: FolderOfFiles, target: UploadTarget): void {
  if (files.length === 0) notifyError(`Folder upload failed: "${name}" is empty.`)
  else uploads.addFolder(name, files, target)
}
