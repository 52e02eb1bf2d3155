import { Button, Menu } from '@mantine/core'
import {
  IconActivity,
  IconArrowLeft,
  IconClipboard,
  IconDots,
  IconFolderPlus,
  IconInbox,
  IconInfoCircle,
  IconKeyboard,
  IconUsers,
  type TablerIcon,
} from '@tabler/icons-react'
import { useRef } from 'react'
import { useClipboard } from '../../items/drag/clipboard.ts'
import { type DropItems, useItemDrop } from '../../items/drag/use-item-drag.ts'
import type { View } from '../../items/grid/layout.ts'
import type { Sort } from '../../items/lists/item-order.ts'
import { plural } from '../../lib/format.ts'
import { useIsPhone } from '../../lib/use-media.ts'
import { Dropdown } from '../../ui/Dropdown.tsx'
import { showShortcuts } from '../../ui/dialogs/dialogs.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { PhoneFolderHeading } from '../../ui/PageHeader.tsx'
import { askFolderName } from './changes/use-item-actions.ts'
import { usePaste } from './changes/use-move-items.ts'
import { toggleDetails, useDetails } from './details/details-state.ts'
import { FolderBreadcrumb } from './FolderBreadcrumb.tsx'
import styles from './FolderToolbar.module.css'
import type { FolderHome } from './folder-address.ts'
import { type FolderStep, ROOT_NAME } from './folder-contents.ts'
import { SortMenu, ViewSwitch } from './ViewOptions.tsx'

interface FolderToolbarProps {
  readonly home: FolderHome
  readonly folderId: string | undefined
  readonly itemId: string | undefined
  readonly name: string
  readonly path: readonly FolderStep[]
  readonly sort: Sort
  readonly onSort: (sort: Sort) => void
  readonly view: View
  readonly onView: (view: View) => void
  readonly onBack: () => void
  /** Absent where the user can't move items. */
  readonly onMoveInto: DropItems | undefined
  /** Absent at the root, in the vault and in folders of others. */
  readonly onShareWithPeople: (() => void) | undefined
  readonly onActivity: (() => void) | undefined
  /** Absent at the root, which has no link, and in the vault. */
  readonly onRequestFiles: (() => void) | undefined
}

/** The path of a folder, and the actions for the folder. */
export function FolderToolbar({
  home,
  folderId,
  itemId,
  name,
  path,
  sort,
  onSort,
  view,
  onView,
  onBack,
  onMoveInto,
  onShareWithPeople,
  onActivity,
  onRequestFiles,
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
        <FolderBreadcrumb home={home} path={path} name={name} id={folderId} itemId={itemId} onMoveInto={onMoveInto} />
      </div>
      {!isPhone && <CurrentFolder folderId={folderId} />}
      <div className={styles.tools}>
        <SortMenu sort={sort} onChange={onSort} />
        <ViewSwitch view={view} onChange={onView} />
        {home.canAdd && !isPhone && <CreateFolderButton folderId={shownId} />}
        <FolderMenu
          folderId={shownId}
          canPaste={home.canAdd}
          onShareWithPeople={onShareWithPeople}
          onRequestFiles={onRequestFiles}
          onActivity={onActivity}
        />
      </div>
    </div>
  )
}

/** The id of the folder: in the toolbar, or below the list on a phone. */
export function CurrentFolder({ folderId }: { readonly folderId: string | undefined }) {
  return <p className={styles.id}>Current Folder: {folderId ?? ROOT_NAME}</p>
}

interface CreateFolderButtonProps {
  readonly folderId: string | undefined
  readonly className?: string
  /** Looks like a row of a sheet. */
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

interface BackButtonProps {
  readonly className?: string
  /** Shows only an arrow, in the header of a phone. */
  readonly isIcon?: boolean
  /** The parent folder, which accepts items dropped on the button. Without an id it is the root. */
  readonly above: { readonly id?: string; readonly name: string } | undefined
  readonly onBack: () => void
  readonly onMoveInto: DropItems | undefined
}

/** Goes to the parent folder, and moves items there that are dropped on the button. */
function BackButton({ className, isIcon = false, above, onBack, onMoveInto }: BackButtonProps) {
  const button = useRef<HTMLButtonElement>(null)
  const isTarget = useItemDrop(button, above?.id, above && onMoveInto, {
    name: above?.name ?? '',
    onSpring: onBack,
  })
  if (isIcon) {
    return (
      <IconButton ref={button} label="Back" size={44} data-target={isTarget !== false || undefined} onClick={onBack}>
        <IconArrowLeft size={22} stroke={1.75} />
      </IconButton>
    )
  }
  return (
    <Button
      ref={button}
      className={className}
      variant="default"
      data-target={isTarget !== false || undefined}
      leftSection={<IconArrowLeft size={18} stroke={1.75} />}
      onClick={onBack}
    >
      Back
    </Button>
  )
}

interface FolderMenuProps
  extends Pick<FolderToolbarProps, 'folderId' | 'onShareWithPeople' | 'onRequestFiles' | 'onActivity'> {
  readonly canPaste: boolean
}

/** The menu with further actions for a folder. On a touch screen it is the way to paste. */
function FolderMenu({ folderId, canPaste, onShareWithPeople, onRequestFiles, onActivity }: FolderMenuProps) {
  const clipboard = useClipboard()
  const { isOpen } = useDetails()
  const paste = usePaste(folderId)
  return (
    <Dropdown position="bottom-end">
      <Menu.Target>
        <IconButton label="More for this folder">
          <IconDots size={20} stroke={1.75} />
        </IconButton>
      </Menu.Target>
      <Menu.Dropdown>
        {canPaste && (
          <Menu.Item
            leftSection={icon(IconClipboard)}
            disabled={!clipboard}
            onClick={() => clipboard && paste(clipboard)}
          >
            {clipboard ? `Paste ${plural(clipboard.items.length, 'item')}` : 'Paste (nothing is cut or copied)'}
          </Menu.Item>
        )}
        {onShareWithPeople && (
          <Menu.Item leftSection={icon(IconUsers)} onClick={onShareWithPeople}>
            Share With People
          </Menu.Item>
        )}
        {onRequestFiles && (
          <Menu.Item leftSection={icon(IconInbox)} onClick={onRequestFiles}>
            Request files
          </Menu.Item>
        )}
        {onActivity && (
          <Menu.Item leftSection={icon(IconActivity)} onClick={onActivity}>
            Activity
          </Menu.Item>
        )}
        <Menu.Item leftSection={icon(IconInfoCircle)} onClick={() => toggleDetails()}>
          {isOpen ? 'Hide details' : 'Details'}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={icon(IconKeyboard)} onClick={showShortcuts}>
          Keyboard shortcuts
        </Menu.Item>
      </Menu.Dropdown>
    </Dropdown>
  )
}

function icon(Icon: TablerIcon) {
  return <Icon size={18} stroke={1.75} />
}
