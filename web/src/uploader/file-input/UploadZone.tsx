import { IconArrowDown, IconCloudUpload, IconFolderUp, IconUpload } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { plural } from '../../lib/format.ts'
import { FilePickerButton } from './FilePickerButton.tsx'
import { useDraggedFileCount } from './file-drops.ts'
import styles from './UploadZone.module.css'

interface UploadZoneTexts {
  readonly hint: string
  readonly drop: string
  readonly folder: string
  readonly files: string
}

const TEXTS: UploadZoneTexts = {
  hint: 'Drag and drop a file here to upload',
  drop: 'Drop file here to upload',
  folder: 'Upload Folder',
  files: 'Upload File',
}

interface UploadZoneProps {
  /** The name of the folder that files are uploaded to, if it may be known. */
  readonly folderName?: string
  readonly texts?: UploadZoneTexts
  /** The types of files that the browser offers, as of the `accept` attribute. */
  readonly accept?: string
  readonly onFiles: (files: File[]) => void
  readonly onFolder: (files: File[]) => void
  /** Whether files are being dragged over the page. */
  readonly isDragging: boolean
  /** Further buttons, for small screens. */
  readonly children?: ReactNode
}

/** Shows that files can be dropped anywhere on the page, and has the buttons for choosing files instead. */
export function UploadZone(props: UploadZoneProps) {
  const { folderName, texts = TEXTS, accept, isDragging, onFiles, onFolder, children } = props
  const count = useDraggedFileCount()
  return (
    <section className={styles.zone} data-dragging={isDragging || undefined} aria-label="Upload">
      <div className={styles.drop}>
        <span className={styles.plate} aria-hidden>
          {isDragging ? <IconArrowDown size={22} stroke={1.75} /> : <IconCloudUpload size={22} stroke={1.75} />}
        </span>
        <div className={styles.words}>
          <p className={styles.text}>{isDragging ? texts.drop : texts.hint}</p>
          {isDragging && folderName !== undefined && (
            <p className={styles.where}>
              {count > 0 ? `${plural(count, 'item')}, into ` : 'Into '}
              <bdi>{folderName}</bdi>
            </p>
          )}
        </div>
      </div>
      <div className={styles.buttons}>
        <FilePickerButton
          picks="folder"
          variant="default"
          leftSection={<IconFolderUp size={18} stroke={1.75} />}
          onPick={onFolder}
        >
          {texts.folder}
        </FilePickerButton>
        {children}
        <FilePickerButton
          className={styles.file}
          picks="files"
          accept={accept}
          leftSection={<IconUpload size={18} stroke={1.75} />}
          onPick={onFiles}
        >
          {texts.files}
        </FilePickerButton>
      </div>
    </section>
  )
}
