import { IconFolderUp, IconLock, IconUpload } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { formatSize, plural } from '../../lib/format.ts'
import { notifyError } from '../../ui/toasts/notify.tsx'
import type { UploadTarget } from '../../uploader/transfer.ts'
import type { UploadView } from '../../uploader/upload-view.ts'
import { uploads, useUploads } from '../../uploader/uploads.ts'
import { getPassphrase } from './passphrase/passphrase.ts'
import styles from './UploadCard.module.css'
import { UploadCard } from './UploadCard.tsx'
import { uploadFiles, uploadFolders } from './upload-encrypted.ts'
import { FILE_MISSING, FOLDER_MISSING } from './vault-texts.ts'

const HELP = 'Contents are encrypted, names stay readable'

interface VaultUploadsProps {
  readonly target: UploadTarget
  /**
   * Renders what picks files instead of the forms, as on a phone, and uploads them at once. A form then shows only while
   * picked files couldn't be uploaded yet.
   */
  readonly renderChoice?: (pick: (kind: 'file' | 'folder', chosen: readonly File[]) => void) => ReactNode
}

/** The two forms that bring files and folders into the vault. While either runs, both wait. */
export function VaultUploads({ target, renderChoice }: VaultUploadsProps) {
  const [files, setFiles] = useState<readonly File[]>([])
  const [folder, setFolder] = useState<readonly File[]>([])
  const running = useUploads().views.filter(isRunning)
  const [isChecking, setChecking] = useState(false)
  const isBusy = isChecking || running.length > 0

  async function send(kind: 'file' | 'folder', chosen: readonly File[]) {
    const keep = kind === 'file' ? setFiles : setFolder
    keep(chosen)
    setChecking(true)
    const isSent = await sendChosen(kind, chosen, target).finally(() => setChecking(false))
    if (isSent) keep([])
  }

  const isShown = (chosen: readonly File[]) => !renderChoice || (chosen.length > 0 && !isBusy)
  return (
    <div className={styles.cards}>
      {renderChoice?.((kind, chosen) => void send(kind, chosen))}
      {isShown(files) && (
        <UploadCard
          picks="files"
          Icon={IconLock}
          title={nameOf(files) ?? 'Select a file'}
          isChosen={files.length > 0}
          help={files.length > 0 ? formatSize(sizeOf(files)) : HELP}
          verb="Upload and Encrypt File"
          VerbIcon={IconUpload}
          isBusy={isBusy}
          progress={progressOf(running.filter(({ kind }) => kind === 'file'))}
          onPick={setFiles}
          onSubmit={() => void send('file', files)}
        />
      )}
      {isShown(folder) && (
        <UploadCard
          picks="folder"
          Icon={IconFolderUp}
          title={folderNameOf(folder) ?? 'Select a folder'}
          isChosen={folder.length > 0}
          help={folder.length > 0 ? `${plural(folder.length, 'file')}, ${formatSize(sizeOf(folder))}` : HELP}
          verb="Upload and Encrypt Folder"
          VerbIcon={IconFolderUp}
          isBusy={isBusy}
          progress={progressOf(running.filter(({ kind }) => kind === 'folder'))}
          onPick={setFolder}
          onSubmit={() => void send('folder', folder)}
        />
      )}
    </div>
  )
}

/**
 * Encrypts and uploads files with the passphrase in the field. Returns whether the upload has begun; if not, the user has
 * been told what is missing, or has decided against that passphrase.
 */
async function sendChosen(kind: 'file' | 'folder', files: readonly File[], target: UploadTarget): Promise<boolean> {
  const passphrase = getPassphrase()
  if (files.length === 0 || passphrase === '') {
    notifyError(kind === 'file' ? FILE_MISSING : FOLDER_MISSING)
    return false
  }
  return (await (kind === 'file' ? uploadFiles : uploadFolders)(files, passphrase, target)) === true
}

function isRunning({ isEncrypted, status }: UploadView): boolean {
  return isEncrypted && (status === 'waiting' || status === 'uploading')
}

function nameOf(files: readonly File[]): string | undefined {
  return files.length > 1 ? plural(files.length, 'file') : files[0]?.name
}

function folderNameOf([first]: readonly File[]): string | undefined {
  return first && (first.webkitRelativePath.split('/')[0] || first.name)
}

function sizeOf(files: readonly File[]): number {
  return files.reduce((total, { size }) => total + size, 0)
}

/** How far the uploads of one of the forms are, all together. */
function progressOf(running: readonly UploadView[]) {
  const [first] = running
  if (!first) return undefined
  const total = running.reduce((bytes, view) => bytes + view.total, 0)
  const sent = running.reduce((bytes, view) => bytes + view.sent, 0)
  return {
    name: running.length > 1 ? plural(running.length, first.kind) : first.name,
    details: `Encrypting, ${formatSize(sent)} of ${formatSize(total)}`,
    percent: total === 0 ? 0 : Math.min(99, Math.floor((sent / total) * 100)),
    cancel: () => {
      for (const { id } of running) uploads.cancel(id)
    },
  }
}
