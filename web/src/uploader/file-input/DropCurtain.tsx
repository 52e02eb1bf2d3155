import { Portal } from '@mantine/core'
import { IconArrowDown } from '@tabler/icons-react'
import { useFileDrop, wholePage } from '../../items/drag/drag-and-drop.ts'
import { plural } from '../../lib/format.ts'
import type { UploadTarget } from '../transfer.ts'
import styles from './DropCurtain.module.css'
import { useDraggedFileCount, useFilePaste } from './file-drops.ts'
import { uploadDropped, uploadPasted } from './upload-chosen.ts'

interface DropCurtainProps {
  readonly target: UploadTarget
}

/** Accepts dropped and pasted files anywhere on a page without an upload zone, and names the target folder. */
export function DropCurtain({ target }: DropCurtainProps) {
  const isDragging = useFileDrop(wholePage, (items) => void uploadDropped(items, target))
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
