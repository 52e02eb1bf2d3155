import type { Item, PathStep } from '@alcove/contract/items'
import { Button } from '@mantine/core'
import { IconArrowLeft, IconFolderPlus } from '@tabler/icons-react'
import type { Sort } from '../../lib/item-order.ts'
import { openCreateFolderModal } from './CreateFolderModal.tsx'
import { FolderBreadcrumb } from './FolderBreadcrumb.tsx'
import styles from './FolderToolbar.module.css'
import type { FolderHome } from './folder-address.ts'
import { ROOT_NAME } from './folder-contents.ts'
import { SortMenu } from './SortMenu.tsx'

interface FolderToolbarProps {
  readonly home: FolderHome
  readonly folderId: string | undefined
  readonly name: string
  readonly path: readonly PathStep[]
  readonly sort: Sort
  readonly onSort: (sort: Sort) => void
  readonly onBack: () => void
  readonly onMoveInto: (item: Item, folderId: string | undefined) => void
}

/** Where the user is, and what can be done there. */
export function FolderToolbar({ home, folderId, name, path, sort, onSort, onBack, onMoveInto }: FolderToolbarProps) {
  return (
    <div className={styles.toolbar}>
      <div className={styles.place}>
        {folderId !== undefined && (
          <Button
            className={styles.back}
            variant="default"
            leftSection={<IconArrowLeft size={18} stroke={1.75} />}
            onClick={onBack}
          >
            Back
          </Button>
        )}
        <FolderBreadcrumb home={home} path={path} name={name} isRoot={folderId === undefined} onMoveInto={onMoveInto} />
      </div>
      <p className={styles.id}>Current Folder: {folderId ?? ROOT_NAME}</p>
      <div className={styles.tools}>
        <SortMenu sort={sort} onChange={onSort} />
        {home.isRoot && <CreateFolderButton className={styles.create} folderId={folderId} />}
      </div>
    </div>
  )
}

interface CreateFolderButtonProps {
  readonly folderId: string | undefined
  readonly className?: string
}

export function CreateFolderButton({ folderId, className }: CreateFolderButtonProps) {
  return (
    <Button
      className={className}
      variant="default"
      leftSection={<IconFolderPlus size={18} stroke={1.75} />}
      onClick={() => openCreateFolderModal(folderId)}
    >
      Create Folder
    </Button>
  )
}
