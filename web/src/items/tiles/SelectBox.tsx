import type { Item } from '@alcove/contract/items'
import { IconCheck } from '@tabler/icons-react'
import styles from './SelectBox.module.css'

interface SelectBoxProps {
  readonly item: Item
  readonly isActive: boolean
  readonly isSelected: boolean
  readonly onToggle: (item: Item) => void
}

/** The check box of a tile or row: a plain element, since there are as many of them as tiles. */
export function SelectBox({ item, isActive, isSelected, onToggle }: SelectBoxProps) {
  return (
    // The label makes it as large as a finger.
    <label className={styles.label}>
      <input
        className={styles.input}
        type="checkbox"
        aria-label={`Select ${item.name}`}
        checked={isSelected}
        tabIndex={isActive ? 0 : -1}
        onChange={() => onToggle(item)}
      />
      <IconCheck className={styles.tick} size={14} stroke={3} aria-hidden />
    </label>
  )
}
