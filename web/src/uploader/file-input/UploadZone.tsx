import { IconArrowDown, IconCloudUpload, IconFolderUp, IconUpload } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { plural } from '../../lib/format.ts'
import type { UploadTarget } from '../transfer.ts'
import { FilePickerButton } from './FilePickerButton.tsx'
import { useDraggedFileCount } from './file-drops.ts'
import styles from './UploadZone.module.css'
import { uploadFiles, uploadFolders } from './upload-chosen.ts'

interface UploadZoneProps {
  readonly target: UploadTarget
  /** The name of the folder that files are uploaded to. */
  readonly folderName: string
  /** Whether files are being dragged over the page. */
  readonly isDragging: boolean
  /** Further buttons, for small screens. */
  readonly children?: ReactNode
}

/** Shows that files can be dropped anywhere on the page, and has the buttons for choosing files instead. */
export function UploadZone({ target, folderName, isDragging, children }: UploadZoneProps) {
  const count = useDraggedFileCount()
  return (
    <section className={styles.zone} data-dragging={isDragging || undefined} aria-label="Upload">
      <div className={styles.drop}>
        <span className={styles.plate} aria-hidden>
          {isDragging ? <IconArrowDown size={22} stroke={1.75} /> : <IconCloudUpload size={22} stroke={1.75} />}
        </span>
        <div className={styles.words}>
          <p className={styles.text}>
            {isDragging ? 'Drop file here to upload' : 'Drag and drop a file here to upload'}
          </p>
          {isDragging && (
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
          onPick={(files) => uploadFolders(files, target)}
        >
          Upload Folder
        </FilePickerButton>
        {children}
        <FilePickerButton
          className={styles.file}
          picks="files"
          leftSection={<IconUpload size={18} stroke={1.75} />}
          onPick={(files) => uploadFiles(files, target)}
        >
          Upload File
        </FilePickerButton>
      </div>
    </section>
  )
}
