import type { Folder } from '@alcove/contract/items'
import { Button, Loader } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useMemo } from 'react'
import { DEFAULT_SORT, sortItems } from '../../../items/lists/item-order.ts'
import { FolderGlyph } from '../../../ui/FolderGlyph.tsx'
import { ItemName } from '../../../ui/ItemName.tsx'
import styles from './MoveItemModal.module.css'

interface FolderPickerListProps {
  /** What scrolls; it takes the focus when another folder is shown. */
  readonly ref: RefObject<HTMLDivElement | null>
  readonly label: string
  /** Undefined while they load. */
  readonly folders: readonly Folder[] | undefined
  readonly isError: boolean
  /** Folders that cannot be gone into, since they are what moves. */
  readonly movedIds: ReadonlySet<string>
  readonly onRetry: () => void
  readonly onOpen: (folderId: string) => void
}

const ROW_HEIGHT = 48

/** The folders of a folder, as buttons that go into them. Only those in view are in the document. */
export function FolderPickerList({ ref, label, folders, isError, movedIds, onRetry, onOpen }: FolderPickerListProps) {
  const choices = useMemo(() => sortItems(folders ?? [], DEFAULT_SORT), [folders])
  const virtualizer = useVirtualizer({
    count: choices.length,
    getScrollElement: () => ref.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 6,
  })

  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of buttons, and no fieldset of a form
    <div className={styles.list} ref={ref} role="group" aria-label={label} tabIndex={-1}>
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
      {choices.length > 0 && (
        <ul className={styles.rows} style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const folder = choices[index]
            const isMoved = folder !== undefined && movedIds.has(folder.id)
            return (
              folder && (
                <li key={folder.id} className={styles.row} style={{ transform: `translateY(${start}px)` }}>
                  <button
                    type="button"
                    className={styles.folder}
                    aria-disabled={isMoved || undefined}
                    onClick={() => !isMoved && onOpen(folder.id)}
                  >
                    <FolderGlyph size={28} isVault={folder.isEncrypted} />
                    <ItemName name={folder.name} />
                    {isMoved ? (
                      <span className={styles.why}>is being moved</span>
                    ) : (
                      <IconChevronRight size={18} stroke={1.75} aria-hidden />
                    )}
                  </button>
                </li>
              )
            )
          })}
        </ul>
      )}
    </div>
  )
}
