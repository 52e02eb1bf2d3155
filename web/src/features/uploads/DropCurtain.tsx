import { Portal } from '@mantine/core'
import { IconArrowDown } from '@tabler/icons-react'
import { useRef } from 'react'
import { plural } from '../../lib/format.ts'
import type { UploadTarget } from '../../lib/upload-entries.ts'
import { useFileDrop } from '../../lib/use-file-drop.ts'
import { useFilePaste } from '../../lib/use-file-paste.ts'
import styles from './DropCurtain.module.css'
import { uploadDropped, uploadPasted } from './upload-chosen.ts'
import { useDraggedFileCount } from './use-dragged-file-count.ts'

interface DropCurtainProps {
  readonly target: UploadTarget
}

/** Makes a whole page without an upload zone take files that are dropped or pasted, and says where they will land. */
export function DropCurtain({ target }: DropCurtainProps) {
  const page = useRef(document.body)
  const isDragging = useFileDrop(page, (items) => void uploadDropped(items, target))
  useFilePaste((items) => void uploadPasted(items, target))
  const count = useDraggedFileCount()
  if (!isDragging) return null
  return (
    <Portal>
      <div className={styles.curtain}>
        <div className={styles.sign}>
          <span className={styles.plate} aria-hidden>
            <IconArrowDown size={22} stroke={1.75} />
          </span>
          <div>
            <p className={styles.text}>Drop file here to upload</p>
            <p className={styles.where}>
              {count > 0 ? `${plural(count, 'item')}, into ` : 'Into '}
              <bdi>{target.folderName}</bdi>
            </p>
          </div>
        </div>
      </div>
    </Portal>
  )
}
