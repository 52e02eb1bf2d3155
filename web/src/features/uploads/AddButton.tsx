import { Button } from '@mantine/core'
import { IconFolderUp, IconPlus, IconUpload } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { later, useLater } from '../../lib/later.ts'
import type { UploadTarget } from '../../lib/upload-entries.ts'
import styles from './AddButton.module.css'
import { FilePickerButton } from './FilePickerButton.tsx'
import { uploadFiles, uploadFolders } from './upload-chosen.ts'

const sheet = later(() => import('../../ui/Sheet.tsx'))

interface AddButtonProps {
  readonly target: UploadTarget
  readonly folderName: string
  /** What else can be added; `close` closes the sheet and `className` is the look of its rows. */
  readonly children: (row: { readonly close: () => void; readonly className: string }) => ReactNode
}

/** The one button of a phone for everything that can be added to a folder. */
export function AddButton({ target, folderName, children }: AddButtonProps) {
  const [isOpen, setIsOpen] = useState(false)
  const part = useLater(sheet, isOpen)
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
                uploadFiles(files, target)
              }}
            >
              Upload File
            </FilePickerButton>
            <FilePickerButton
              className={styles.row}
              picks="folder"
              variant="subtle"
              justify="flex-start"
              leftSection={<IconFolderUp size={20} stroke={1.75} />}
              onPick={(files) => {
                close()
                uploadFolders(files, target)
              }}
            >
              Upload Folder
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
