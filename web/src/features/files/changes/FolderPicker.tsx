import type { PathStep } from '@alcove/contract/items'
import { Button, Loader } from '@mantine/core'
import { IconChevronRight, IconUsers } from '@tabler/icons-react'
import { useVirtualizer } from '@tanstack/react-virtual'
import type { RefObject } from 'react'
import { FolderGlyph } from '../../../ui/FolderGlyph.tsx'
import { ItemName } from '../../../ui/ItemName.tsx'
import { VirtualList, VirtualRow } from '../../../ui/VirtualList.tsx'
import { ROOT_NAME } from '../folder-contents.ts'
import styles from './MoveItemModal.module.css'

interface FolderPickerPathProps {
  /** The ancestors of the folder that is shown, the topmost first. */
  readonly path: readonly PathStep[]
  readonly name: string
  readonly isRoot: boolean
  readonly onOpen: (folderId: string | undefined) => void
}

/** The path of the folder that is shown. Each step is a button that goes back to it. */
export function FolderPickerPath({ path, name, isRoot, onOpen }: FolderPickerPathProps) {
  const steps: { id?: string; name: string }[] = isRoot ? [] : [{ name: ROOT_NAME }, ...path]
  return (
    <nav aria-label="Path of the chosen folder">
      <ol className={styles.path}>
        {steps.map((step) => (
          <li key={step.id ?? ROOT_NAME} className={styles.step}>
            <button type="button" className={styles.crumb} onClick={() => onOpen(step.id)}>
              <bdi>{step.name}</bdi>
            </button>
            <IconChevronRight size={16} stroke={1.75} aria-hidden />
          </li>
        ))}
        <li className={styles.step}>
          <strong className={styles.name} aria-current="page" aria-live="polite">
            <bdi>{name}</bdi>
          </strong>
        </li>
      </ol>
    </nav>
  )
}

/** Stands for the list of the folders that others share with the user. */
export const SHARED_PLACE = 'shared-with-me'

/** A folder that can be opened in the picker, or `SHARED_PLACE`. */
export interface PickedFolder {
  readonly id: string
  readonly name: string
  readonly isEncrypted?: boolean
  /** The owner of a folder that is shared with the user. */
  readonly owner?: string
}

interface FolderPickerListProps {
  /** The scrolling element, which gets the focus when another folder is shown. */
  readonly ref: RefObject<HTMLDivElement | null>
  readonly label: string
  /** In the order in which they are shown. Undefined while they load. */
  readonly folders: readonly PickedFolder[] | undefined
  readonly isError: boolean
  /** Folders that can't be opened, because they are being moved. */
  readonly movedIds: ReadonlySet<string>
  readonly onRetry: () => void
  readonly onOpen: (folderId: string) => void
}

const ROW_HEIGHT = 48

/** The folders of a folder, as buttons that open them. Only those in view are in the document. */
export function FolderPickerList({ ref, label, folders, isError, movedIds, onRetry, onOpen }: FolderPickerListProps) {
  const choices = folders ?? []
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
          <Loader size={20} role="status" aria-label="Loading folders" />
        </div>
      )}
      {folders && choices.length === 0 && <div className={styles.note}>No folders here.</div>}
      {choices.length > 0 && (
        <VirtualList height={virtualizer.getTotalSize()}>
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const folder = choices[index]
            const isMoved = folder !== undefined && movedIds.has(folder.id)
            return (
              folder && (
                <VirtualRow key={folder.id} className={styles.row} top={start}>
                  <button
                    type="button"
                    className={styles.folder}
                    aria-disabled={isMoved || undefined}
                    onClick={() => !isMoved && onOpen(folder.id)}
                  >
                    {folder.id === SHARED_PLACE ? (
                      <IconUsers size={28} stroke={1.5} aria-hidden />
                    ) : (
                      <FolderGlyph size={28} isVault={folder.isEncrypted} />
                    )}
                    <ItemName name={folder.name} />
                    {folder.owner && <bdi className={styles.owner}>{folder.owner}</bdi>}
                    {isMoved ? (
                      <span className={styles.why}>is being moved</span>
                    ) : (
                      <IconChevronRight size={18} stroke={1.75} aria-hidden />
                    )}
                  </button>
                </VirtualRow>
              )
            )
          })}
        </VirtualList>
      )}
    </div>
  )
}
