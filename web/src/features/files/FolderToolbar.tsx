import type { PathStep } from '@alcove/contract/items'
import { Button } from '@mantine/core'
import { IconFolderPlus } from '@tabler/icons-react'
import type { Sort } from '../../lib/item-order.ts'
import type { View } from '../../ui/items/layout.ts'
import type { DropItems } from '../../ui/items/use-item-drag.ts'
import { ViewSwitch } from '../../ui/items/ViewSwitch.tsx'
import { BackButton } from './BackButton.tsx'
import { askFolderName } from './dialogs.ts'
import { FolderBreadcrumb } from './FolderBreadcrumb.tsx'
import { FolderMenu } from './FolderMenu.tsx'
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
  readonly view: View
  readonly onView: (view: View) => void
  readonly onBack: () => void
  readonly onMoveInto: DropItems
}

/** Where the user is, and what can be done there. */
export function FolderToolbar({
  home,
  folderId,
  name,
  path,
  sort,
  onSort,
  view,
  onView,
  onBack,
  onMoveInto,
}: FolderToolbarProps) {
  const parent = path.at(-1)
  const above = parent ?? (home.isRoot ? { id: home.rootId, name: home.name } : undefined)
  const shownId = folderId ?? home.rootId
  return (
    <div className={styles.toolbar}>
      <div className={styles.place}>
        {folderId !== undefined && (
          <BackButton className={styles.back} above={above} onBack={onBack} onMoveInto={onMoveInto} />
        )}
        <FolderBreadcrumb home={home} path={path} name={name} isRoot={folderId === undefined} onMoveInto={onMoveInto} />
      </div>
      <p className={styles.id}>Current Folder: {folderId ?? ROOT_NAME}</p>
      <div className={styles.tools}>
        <SortMenu sort={sort} onChange={onSort} />
        <ViewSwitch view={view} onChange={onView} />
        {home.isRoot && <CreateFolderButton className={styles.create} folderId={shownId} />}
        <FolderMenu folderId={shownId} />
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
      onClick={() => askFolderName(folderId)}
    >
      Create Folder
    </Button>
  )
}
