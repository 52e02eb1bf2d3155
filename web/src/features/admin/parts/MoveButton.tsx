import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { IconButton } from '../../../ui/IconButton.tsx'
import styles from './MoveButton.module.css'

interface MoveButtonProps {
  /** The name of what moves. */
  readonly what: string
  /** The places by which it moves: up if negative. */
  readonly by: 1 | -1
  /** There is no further place. The button keeps the focus. */
  readonly isIdle: boolean
  readonly onMove: (by: 1 | -1) => void
}

/** Moves a row of an ordered list by one place. */
export function MoveButton({ what, by, isIdle, onMove }: MoveButtonProps) {
  const Arrow = by < 0 ? IconArrowUp : IconArrowDown
  return (
    <IconButton
      className={styles.move}
      label={`Move ${what} ${by < 0 ? 'up' : 'down'}`}
      aria-disabled={isIdle || undefined}
      onClick={() => {
        if (!isIdle) onMove(by)
      }}
    >
      <Arrow size={18} stroke={1.75} />
    </IconButton>
  )
}
