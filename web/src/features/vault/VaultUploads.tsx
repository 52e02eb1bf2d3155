import { Button } from '@mantine/core'
import { IconFolderUp, IconLock, IconUpload, IconX, type TablerIcon } from '@tabler/icons-react'
import { type ReactNode, type SubmitEvent, useRef, useState } from 'react'
import { useAction } from '../../api/use-call.ts'
import { formatSize, plural } from '../../lib/format.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { ItemName } from '../../ui/ItemName.tsx'
import { notifyError } from '../../ui/toasts/notify.tsx'
import { readFileMetadata } from '../../uploader/file-input/read-file-metadata.ts'
import type { UploadTarget } from '../../uploader/transfer.ts'
import type { UploadView } from '../../uploader/upload-view.ts'
import { uploads, useUploads } from '../../uploader/uploads.ts'
import { getPassphrase } from './passphrase/passphrase.ts'
import { uploadFiles, uploadFolders } from './upload-encrypted.ts'
import styles from './VaultUploads.module.css'
import { FILE_MISSING, FOLDER_MISSING } from './vault-texts.ts'

const HELP = 'Contents are encrypted, names stay readable'

interface VaultUploadsProps {
  readonly target: UploadTarget
  /**
   * Renders a button, as on a phone, that picks files and uploads them at once. A form then appears only for picked files
   * that couldn't be uploaded yet.
   */
  readonly renderChoice?: (pick: (kind: 'file' | 'folder', chosen: readonly File[]) => void) => ReactNode
}

/** The two forms that encrypt and upload files and folders. Both are disabled while either is uploading. */
export function VaultUploads({ target, renderChoice }: VaultUploadsProps) {
  const [files, setFiles] = useState<readonly File[]>([])
  const [folder, setFolder] = useState<readonly File[]>([])
  const running = useUploads().views.filter(isRunning)
  const [isChecking, setChecking] = useState(false)
  const isBusy = isChecking || running.length > 0

  async function send(kind: 'file' | 'folder', chosen: readonly File[]) {
    const setChosen = kind === 'file' ? setFiles : setFolder
    setChosen(chosen)
    setChecking(true)
    const isStarted = await startUpload(kind, chosen, target).finally(() => setChecking(false))
    if (isStarted) setChosen([])
  }
  const submission = useAction(({ kind, chosen }: Submission) => send(kind, chosen))

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
          onSubmit={() => submission.mutate({ kind: 'file', chosen: files })}
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
          onSubmit={() => submission.mutate({ kind: 'folder', chosen: folder })}
        />
      )}
    </div>
  )
}

interface Submission {
  readonly kind: 'file' | 'folder'
  readonly chosen: readonly File[]
}

/**
 * Encrypts and uploads files with the passphrase in the field. Returns whether the upload has started. If it hasn't, an
 * error message says what is missing, or the user has rejected the passphrase.
 */
async function startUpload(kind: 'file' | 'folder', files: readonly File[], target: UploadTarget): Promise<boolean> {
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

/** Returns the total progress of the uploads of one form. */
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

interface UploadCardProps {
  readonly picks: 'files' | 'folder'
  readonly Icon: TablerIcon
  /** The chosen files, or what to choose. */
  readonly title: string
  readonly help: string
  readonly isChosen: boolean
  readonly verb: string
  readonly VerbIcon: TablerIcon
  /** Whether this form or the other is uploading. */
  readonly isBusy: boolean
  readonly progress?: Progress
  readonly onPick: (files: File[]) => void
  readonly onSubmit: () => void
}

interface Progress {
  readonly name: string
  readonly details: string
  readonly percent: number
  readonly cancel: () => void
}

/** A form for one kind of upload, which chooses and submits files, and shows the progress. */
function UploadCard(props: UploadCardProps) {
  const { picks, Icon, title, help, isChosen, verb, VerbIcon, isBusy, progress, onPick, onSubmit } = props
  const input = useRef<HTMLInputElement | null>(null)

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (!isBusy) onSubmit()
  }

  return (
    <form
      className={styles.card}
      aria-label={verb}
      data-lit={isChosen || progress !== undefined || undefined}
      onSubmit={submit}
    >
      <input
        ref={(element) => {
          input.current = element
          if (element) element.webkitdirectory = picks === 'folder'
        }}
        type="file"
        multiple
        hidden
        aria-label={picks === 'folder' ? 'Folder' : 'File'}
        onChange={(event) => {
          const files = [...(event.currentTarget.files ?? [])]
          void readFileMetadata(files).then(() => onPick(files))
          event.currentTarget.value = '' // so that the same file can be chosen again
        }}
      />
      <div className={styles.top}>
        <button type="button" className={styles.choice} disabled={isBusy} onClick={() => input.current?.click()}>
          <span className={styles.plate} aria-hidden>
            <Icon size={20} stroke={1.75} />
          </span>
          <span className={styles.words}>
            <ItemName name={progress?.name ?? title} className={styles.title} />
            <span className={styles.help}>{progress?.details ?? help}</span>
          </span>
        </button>
        <Button
          type="submit"
          className={styles.verb}
          disabled={isBusy}
          leftSection={<VerbIcon size={18} stroke={1.75} />}
        >
          {verb}
        </Button>
      </div>
      {progress && (
        <div className={styles.progress}>
          <div
            className={styles.track}
            role="progressbar"
            aria-label={`Encrypting ${progress.name}`}
            aria-valuenow={progress.percent}
            aria-valuemin={0}
            aria-valuemax={100}
          >
            <div className={styles.bar} style={{ width: `${progress.percent}%` }} />
          </div>
          <span className={styles.percent}>{progress.percent}%</span>
          <IconButton label={`Cancel the upload of ${progress.name}`} onClick={progress.cancel}>
            <IconX size={18} stroke={1.75} />
          </IconButton>
        </div>
      )}
    </form>
  )
}
