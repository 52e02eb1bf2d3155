import { IconArrowLeft, IconArrowRight } from '@tabler/icons-react'
import { IconButton } from '../ui/IconButton.tsx'
import styles from './PreviewArrow.module.css'

interface PreviewArrowProps {
  readonly direction: 'previous' | 'next'
  readonly isDisabled: boolean
  readonly onClick: () => void
}

export function PreviewArrow({ direction, isDisabled, onClick }: PreviewArrowProps) {
  const Icon = direction === 'previous' ? IconArrowLeft : IconArrowRight
  return (
    <IconButton
      label={direction === 'previous' ? 'Previous' : 'Next'}
      className={styles.arrow}
      data-direction={direction}
      // A disabled button would lose the focus at the end of a walk.
      aria-disabled={isDisabled}
      onClick={() => !isDisabled && onClick()}
    >
      <Icon size={20} stroke={1.75} />
    </IconButton>
  )
}
