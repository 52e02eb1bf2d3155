import { Button } from '@mantine/core'
import { IconFolderUp, IconPlus, IconUpload } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { lazyModule, useLazyModule } from '../../lib/lazy-module.ts'
import styles from './AddButton.module.css'
import { FilePickerButton } from './FilePickerButton.tsx'

const sheet = lazyModule(() => import('../../ui/dialogs/Sheet.tsx'))

interface AddButtonProps {
  readonly folderName: string
  /** The labels of the upload rows, if they differ from those of the drive. */
  readonly labels?: { readonly files: string; readonly folder: string }
  readonly onFiles: (files: File[]) => void
  readonly onFolder: (files: File[]) => void
  /** Further rows. `close` closes the sheet, and `className` styles a row. */
  readonly children: (row: { readonly close: () => void; readonly className: string }) => ReactNode
}

const LABELS = { files: 'Upload File', folder: 'Upload Folder' }

/** The Add button of small screens, which opens a sheet with all ways to add to a folder. It floats on phones. */
export function AddButton({ folderName, labels = LABELS, onFiles, onFolder, children }: AddButtonProps) {
  const [isOpen, setIsOpen] = useState(false)
  const part = useLazyModule(sheet, isOpen)
  const close = () => setIsOpen(false)

  return (
    <>
      <Button
        className={styles.add}
        leftSection={<IconPlus size={22} stroke={1.75} />}
        aria-haspopup="dialog"
        onClick={() => setIsOpen(true)}
      >
        Add
      </Button>
      {part && (
        <part.Sheet label="Add" isOpen={isOpen} onClose={close}>
          <div className={styles.rows}>
            <FilePickerButton
              className={styles.row}
              picks="files"
              variant="subtle"
              justify="flex-start"
              leftSection={<IconUpload size={20} stroke={1.75} />}
              onPick={(files) => {
                close()
                onFiles(files)
              }}
            >
              {labels.files}
            </FilePickerButton>
            <FilePickerButton
              className={styles.row}
              picks="folder"
              variant="subtle"
              justify="flex-start"
              leftSection={<IconFolderUp size={20} stroke={1.75} />}
              onPick={(files) => {
                close()
                onFolder(files)
              }}
            >
              {labels.folder}
            </FilePickerButton>
            {children({ close, className: styles.row as string })}
          </div>
          <p className={styles.where}>
            Into "<bdi>{folderName}</bdi>"
          </p>
        </part.Sheet>
      )}
    </>
  )
}
