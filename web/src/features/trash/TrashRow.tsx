import type { TrashedItem } from '@alcove/contract/trash'
import { Button, Checkbox } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { type MouseEvent, useId } from 'react'
import { Thumbnail } from '../../items/tiles/Thumbnail.tsx'
import { formatMoment, plural } from '../../lib/format.ts'
import { FileTypeSquare } from '../../ui/FileTypeSquare.tsx'
import { FolderGlyph } from '../../ui/FolderGlyph.tsx'
import { ItemName } from '../../ui/ItemName.tsx'
import styles from './TrashRow.module.css'
import { describePlace } from './trash-contents.ts'

/** With this many days left or fewer, the number is highlighted. */
const FEW_DAYS = 14

interface TrashRowProps {
  readonly item: TrashedItem
  readonly isSelected: boolean
  /** `isRange` selects everything from the item that was chosen before. */
  readonly onToggle: (isRange: boolean) => void
  readonly onRestore: () => void
  readonly onDelete: () => void
}

/** An item of the trash: when it was deleted, how many days are left, and the buttons that restore and delete it. */
export function TrashRow({ item, isSelected, onToggle, onRestore, onDelete }: TrashRowProps) {
  const id = useId()
  const place = describePlace(item) ?? 'Root'

  function toggle(event: MouseEvent) {
    const control = (event.target as HTMLElement).closest('button, label')
    if (control && event.currentTarget !== event.target) return
    event.stopPropagation()
    onToggle(event.shiftKey)
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: the check box does it for the keyboard
    <div className={styles.row} data-selected={isSelected || undefined} onMouseDown={keepText} onClick={toggle}>
      <Checkbox
        className={styles.check}
        aria-label={`Select ${item.name}`}
        data-control="select"
        checked={isSelected}
        onClick={toggle}
        onChange={() => {}} // `onClick` has the Shift key
      />
      <span className={styles.icon}>
        {item.type === 'file' ? (
          <Thumbnail file={item} fallback={<FileTypeSquare filename={item.name} size={36} />} size={256} />
        ) : (
          <FolderGlyph size={32} />
        )}
      </span>
      <div className={styles.text}>
        <span id={id} className={styles.name}>
          <ItemName name={item.name} />
        </span>
        <span className={styles.meta}>
          {'Deleted '}
          {item.deletedBy !== undefined && (
            <>
              by <bdi title={item.deletedBy}>{item.deletedBy}</bdi>
              {' · '}
            </>
          )}
          <time dateTime={item.deleted_at}>{formatMoment(item.deleted_at)}</time>
          {' · was in '}
          <bdi title={place}>{place}</bdi>
        </span>
      </div>
      <span className={styles.left} data-few={item.daysLeft <= FEW_DAYS || undefined}>
        {item.daysLeft > 0 ? `${plural(item.daysLeft, 'day')} left` : 'Due to be deleted'}
      </span>
      <div className={styles.actions}>
        <Button
          variant="default"
          size="xs"
          aria-describedby={id}
          data-control="restore"
          leftSection={<IconArrowBackUp size={16} stroke={1.75} />}
          onClick={onRestore}
        >
          Restore
        </Button>
        <Button variant="subtle" color="brick" size="xs" aria-describedby={id} data-control="delete" onClick={onDelete}>
          Delete Permanently
        </Button>
      </div>
    </div>
  )
}

/** Shift selects a range of items. It must not select the text between them too. */
function keepText(event: MouseEvent): void {
  if (event.shiftKey) event.preventDefault()
}
