import type { PathStep } from '@alcove/contract/items'
import { Button } from '@mantine/core'
import { IconFolderPlus } from '@tabler/icons-react'
import type { DropItems } from '../../items/drag/use-item-drag.ts'
import type { View } from '../../items/grid/layout.ts'
import { ViewSwitch } from '../../items/grid/ViewSwitch.tsx'
import type { Sort } from '../../items/lists/item-order.ts'
import { useIsPhone } from '../../lib/use-is-phone.ts'
import { PhoneFolderHeading } from '../../ui/PageHeader.tsx'
import { BackButton } from './BackButton.tsx'
import { askFolderName } from './changes/dialogs.ts'
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
  const isPhone = useIsPhone()
  const shownId = folderId ?? home.rootId
  return (
    <div className={styles.toolbar}>
      <div className={styles.place}>
        {folderId !== undefined &&
          (isPhone ? (
            <PhoneFolderHeading
              back={<BackButton isIcon above={above} onBack={onBack} onMoveInto={onMoveInto} />}
              name={name}
            />
          ) : (
            <BackButton className={styles.back} above={above} onBack={onBack} onMoveInto={onMoveInto} />
          ))}
        <FolderBreadcrumb home={home} path={path} name={name} isRoot={folderId === undefined} onMoveInto={onMoveInto} />
      </div>
      {!isPhone && <CurrentFolder folderId={folderId} />}
      <div className={styles.tools}>
        <SortMenu sort={sort} onChange={onSort} />
        <ViewSwitch view={view} onChange={onView} />
        {home.isRoot && !isPhone && <CreateFolderButton className={styles.create} folderId={shownId} />}
        <FolderMenu folderId={shownId} />
      </div>
    </div>
  )
}

/** The id of the folder: in the toolbar, and at the end of the list on a phone. */
export function CurrentFolder({ folderId }: { readonly folderId: string | undefined }) {
  return <p className={styles.id}>Current Folder: {folderId ?? ROOT_NAME}</p>
}

interface CreateFolderButtonProps {
  readonly folderId: string | undefined
  readonly className?: string
  /** A row of a sheet. */
  readonly isRow?: boolean
  readonly onClick?: () => void
}

export function CreateFolderButton({ folderId, className, isRow = false, onClick }: CreateFolderButtonProps) {
  return (
    <Button
      className={className}
      variant={isRow ? 'subtle' : 'default'}
      justify={isRow ? 'flex-start' : undefined}
      leftSection={<IconFolderPlus size={isRow ? 20 : 18} stroke={1.75} />}
      onClick={() => {
        onClick?.()
        askFolderName(folderId)
      }}
    >
      Create Folder
    </Button>
  )
}
