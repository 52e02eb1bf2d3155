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

/** From here on the days that are left are marked. */
const FEW_DAYS = 14

interface TrashRowProps {
  readonly item: TrashedItem
  readonly isSelected: boolean
  /** `isRange`: everything from the one that was chosen before. */
  readonly onToggle: (isRange: boolean) => void
  readonly onRestore: () => void
  readonly onDelete: () => void
}

/** An item of the trash: what it is, since when it is there and how long it stays, and the two things to do with it. */
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
        onChange={() => {}} // the click knows about Shift
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
          Deleted <time dateTime={item.deleted_at}>{formatMoment(item.deleted_at)}</time>
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

/** A range is chosen with Shift, which would also mark the text between. */
function keepText(event: MouseEvent): void {
  if (event.shiftKey) event.preventDefault()
}
