import { Menu } from '@mantine/core'
import {
  IconDotsVertical,
  IconDownload,
  IconHeart,
  IconHeartFilled,
  IconLink,
  IconTrash,
  IconX,
  type TablerIcon,
} from '@tabler/icons-react'
import { formatDay, formatSize } from '../lib/format.ts'
import { Dropdown } from '../ui/Dropdown.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { ItemName } from '../ui/ItemName.tsx'
import styles from './PreviewBar.module.css'
import type { PreviewActions, PreviewItem } from './preview-item.ts'

interface PreviewBarProps {
  readonly item: PreviewItem
  /** For example `3 of 14`; empty if there is only one item. */
  readonly position: string
  readonly actions: PreviewActions
  readonly onClose: () => void
}

/** The bar above the file with its name, details, position and actions. */
export function PreviewBar({ item, position, actions, onClose }: PreviewBarProps) {
  const { name, size, modifiedAt, place, note } = item
  const details = [formatSize(size), modifiedAt && formatDay(modifiedAt), place, note].filter(Boolean)
  const choices = choicesFor(item, actions)
  return (
    <div className={styles.bar}>
      <div className={styles.text}>
        <h2 className={styles.name}>
          <ItemName name={name} />
        </h2>
        <p className={styles.details}>
          {details.join(', ')}
          {position && <span className={styles.narrowPosition}> · {position}</span>}
        </p>
      </div>
      <p className={styles.position}>{position}</p>
      <div className={styles.actions}>
        {choices.map(({ label, Icon, isPressed, run }) => (
          <IconButton
            key={label}
            label={`${label} ${name}`}
            className={styles.action}
            aria-pressed={isPressed}
            onClick={run}
          >
            <Icon size={20} stroke={1.75} />
          </IconButton>
        ))}
        {choices.length > 0 && (
          <>
            <MoreMenu choices={choices} />
            <span className={styles.line} />
          </>
        )}
        <IconButton label="Close" className={styles.close} onClick={onClose}>
          <IconX size={20} stroke={1.75} />
        </IconButton>
      </div>
    </div>
  )
}

interface Choice {
  readonly label: string
  /** The label in the menu, which doesn't show whether a button is pressed. */
  readonly menuLabel?: string
  readonly Icon: TablerIcon
  readonly isPressed?: boolean
  readonly run: () => void
}

function choicesFor(item: PreviewItem, { toggleFavorite, openLink, download, remove }: PreviewActions): Choice[] {
  const { isFavorite = false } = item
  const all: (Choice | undefined)[] = [
    toggleFavorite && {
      label: 'Favorite',
      menuLabel: isFavorite ? 'Remove From Favorites' : 'Add to Favorites',
      Icon: isFavorite ? IconHeartFilled : IconHeart,
      isPressed: isFavorite,
      run: () => toggleFavorite(item),
    },
    openLink && { label: 'Public Link', Icon: IconLink, run: () => openLink(item) },
    download && { label: 'Download', Icon: IconDownload, run: () => download(item) },
    remove && { label: 'Delete', Icon: IconTrash, run: () => remove(item) },
  ]
  return all.filter((choice) => choice !== undefined)
}

/** The actions as a menu, for narrow screens. */
function MoreMenu({ choices }: { readonly choices: readonly Choice[] }) {
  return (
    <Dropdown position="bottom-end" withinPortal={false}>
      <Menu.Target>
        <IconButton label="More" className={styles.more}>
          <IconDotsVertical size={20} stroke={1.75} />
        </IconButton>
      </Menu.Target>
      <Menu.Dropdown>
        {choices.map(({ label, menuLabel, Icon, run }) => (
          <Menu.Item key={label} leftSection={<Icon size={18} stroke={1.75} />} onClick={run}>
            {menuLabel ?? label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Dropdown>
  )
}
