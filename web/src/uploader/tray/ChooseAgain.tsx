import { IconFileUpload, IconFolderUp } from '@tabler/icons-react'
import { useRef } from 'react'
import { plural } from '../../lib/format.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { notifyError, notifySuccess } from '../../ui/toasts/notify.tsx'
import { groupByFolder } from '../file-input/chosen-files.ts'
import { FilePickerButton } from '../file-input/FilePickerButton.tsx'
import type { UploadQueue } from '../upload-queue.ts'
import type { UploadView } from '../upload-view.ts'
import { useUploadQueue } from '../uploads.ts'
import styles from './ChooseAgain.module.css'

interface ChooseAgainButtonProps {
  readonly upload: UploadView
}

/** Lets the user choose the file or folder of an upload again after a reload, because a page can't reopen it. */
export function ChooseAgainButton({ upload }: ChooseAgainButtonProps) {
  const { id, name, kind } = upload
  const uploads = useUploadQueue()
  const input = useRef<HTMLInputElement | null>(null)
  return (
    <>
      <input
        ref={(element) => {
          input.current = element
          if (element) element.webkitdirectory = kind === 'folder'
        }}
        type="file"
        hidden
        onChange={(event) => {
          void chooseAgain(uploads, [...(event.currentTarget.files ?? [])], id)
          event.currentTarget.value = ''
        }}
      />
      <IconButton
        label={`Choose ${name} again to resume`}
        disabled={upload.isChecking}
        onClick={() => input.current?.click()}
      >
        {kind === 'folder' ? <IconFolderUp size={18} stroke={1.75} /> : <IconFileUpload size={18} stroke={1.75} />}
      </IconButton>
    </>
  )
}

interface UnfinishedLineProps {
  /** How many files must be chosen again. */
  readonly count: number
}

/** Lets the user choose the files of all unfinished uploads together, or the folder that contains them. */
export function UnfinishedLine({ count }: UnfinishedLineProps) {
  const uploads = useUploadQueue()
  return (
    <div className={styles.line}>
      <p className={styles.text}>Choose {plural(count, 'file')} again. The uploads resume where they stopped.</p>
      <div className={styles.buttons}>
        <FilePickerButton picks="files" size="xs" onPick={(files) => void chooseAgain(uploads, files)}>
          Choose files
        </FilePickerButton>
        <FilePickerButton
          picks="folder"
          size="xs"
          variant="default"
          onPick={(files) => void chooseAgain(uploads, files)}
        >
          Choose folder
        </FilePickerButton>
      </div>
    </div>
  )
}

/** Resumes interrupted uploads with the chosen files, and reports files that have changed or don't match. */
async function chooseAgain(uploads: UploadQueue, files: readonly File[], entryId?: string): Promise<void> {
  if (files.length === 0) return
  const all = groupByFolder(files).flatMap((folder) => folder.files)
  const chosen = all.map(({ source, relativePath }) =>
    relativePath.includes('/') ? { source, relativePath } : { source },
  )
  const { resumed, changed, others } = await uploads.chooseAgain(chosen, entryId)
  const [first] = changed
  if (changed.length === 1) notifyError(`${first} has changed, so its upload starts again.`)
  if (changed.length > 1) notifyError(`${plural(changed.length, 'file')} have changed, so their uploads start again.`)
  if (resumed === 0 && changed.length === 0) {
    notifyError(
      others.length === 1
        ? 'This is not the file whose upload was interrupted.'
        : 'None of these files belongs to an unfinished upload.',
    )
  } else if (entryId === undefined) {
    notifySuccess(`${plural(resumed + changed.length, 'upload')} resumed.`)
  }
}
