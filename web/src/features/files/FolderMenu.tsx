import { Menu } from '@mantine/core'
import { IconClipboard, IconDots, IconInfoCircle, IconKeyboard, type TablerIcon } from '@tabler/icons-react'
import { useClipboard } from '../../items/drag/clipboard.ts'
import { plural } from '../../lib/format.ts'
import { Dropdown } from '../../ui/Dropdown.tsx'
import { showShortcuts } from '../../ui/dialogs/show-shortcuts.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { usePaste } from './changes/use-paste.ts'
import { toggleDetails, useDetails } from './details/details-state.ts'

/** What else can be done in a folder. It is how a finger pastes. */
export function FolderMenu({ folderId }: { readonly folderId: string | undefined }) {
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
        <Menu.Item
          leftSection={icon(IconClipboard)}
          disabled={!clipboard}
          onClick={() => clipboard && paste(clipboard)}
        >
          {clipboard ? `Paste ${plural(clipboard.items.length, 'item')}` : 'Paste (nothing is cut or copied)'}
        </Menu.Item>
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
