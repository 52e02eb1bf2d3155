import type { Folder } from '@alcove/contract/items'
import { Button, Loader } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useMemo, useRef } from 'react'
import { DEFAULT_SORT, sortFolders } from '../../lib/item-order.ts'
import { FolderGlyph } from '../../ui/FolderGlyph.tsx'
import { ItemName } from '../../ui/ItemName.tsx'
import styles from './MoveItemModal.module.css'

interface FolderPickerListProps {
  /** Undefined while they load. */
  readonly folders: readonly Folder[] | undefined
  readonly isError: boolean
  /** A folder that cannot be chosen, since it is the one that moves. */
  readonly exceptId: string
  readonly onRetry: () => void
  readonly onOpen: (folderId: string) => void
}

const ROW_HEIGHT = 48

/** The folders of a folder, as buttons that go into them. */
export function FolderPickerList({ folders, isError, exceptId, onRetry, onOpen }: FolderPickerListProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const choices = useMemo(
    () => sortFolders(folders ?? [], DEFAULT_SORT).filter(({ id }) => id !== exceptId),
    [folders, exceptId],
  )
  const virtualizer = useVirtualizer({
    count: choices.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 6,
  })

  return (
    <div className={styles.list} ref={scroller}>
      {isError && !folders && (
        <div className={styles.note} role="alert">
          Unable to fetch files/folders.
          <Button size="xs" variant="default" onClick={onRetry}>
            Retry
          </Button>
        </div>
      )}
      {!isError && !folders && (
        <div className={styles.note}>
          <Loader size={20} aria-label="Loading folders" />
        </div>
      )}
      {folders && choices.length === 0 && <div className={styles.note}>No folders in here.</div>}
      <ul className={styles.rows} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const folder = choices[index]
          return (
            folder && (
              <li key={folder.id} className={styles.row} style={{ transform: `translateY(${start}px)` }}>
                <button type="button" className={styles.folder} onClick={() => onOpen(folder.id)}>
                  <FolderGlyph size={28} />
                  <ItemName name={folder.name} />
                  <IconChevronRight size={18} stroke={1.75} aria-hidden />
                </button>
              </li>
            )
          )
        })}
      </ul>
    </div>
  )
}
