import { Transition, VisuallyHidden } from '@mantine/core'
import { IconArrowBackUp, IconTrash, IconX } from '@tabler/icons-react'
import { useRef } from 'react'
import styles from '../../items/SelectionBar.module.css'
import { formatCount, plural } from '../../lib/format.ts'

interface TrashSelectionBarProps {
  readonly count: number
  readonly onRestore: () => void
  readonly onDelete: () => void
  readonly onClear: () => void
}

/** On a phone the bar has four columns: two commands share them. */
const wide = { gridColumn: 'span 2' }

/** What can be done with what is selected, at the foot of the screen. */
export function TrashSelectionBar({ count, onRestore, onDelete, onClear }: TrashSelectionBarProps) {
  // While it leaves the bar says what it said last.
  const last = useRef(count)
  if (count > 0) last.current = count
  return (
    <>
      <VisuallyHidden role="status">{count > 0 && `${plural(count, 'item')} selected`}</VisuallyHidden>
      <Transition mounted={count > 0} transition="slide-up" duration={180} exitDuration={120}>
        {(style) => (
          <div className={styles.place}>
            <div className={styles.bar} style={style} role="toolbar" aria-label="Selected items">
              <p className={styles.count}>
                <strong>{formatCount(last.current)} selected</strong>
              </p>
              <button type="button" className={styles.command} style={wide} onClick={onRestore}>
                <IconArrowBackUp size={18} stroke={1.75} aria-hidden />
                <span>Restore</span>
              </button>
              <button type="button" className={styles.command} style={wide} data-dangerous onClick={onDelete}>
                <IconTrash size={18} stroke={1.75} aria-hidden />
                <span>Delete Permanently</span>
              </button>
              <button type="button" className={styles.clear} aria-label="Clear the selection" onClick={onClear}>
                <IconX size={18} stroke={1.75} aria-hidden />
              </button>
            </div>
          </div>
        )}
      </Transition>
    </>
  )
}
