import type { ReactNode } from 'react'
import { IconButton } from '../ui/IconButton.tsx'
import styles from './ViewControls.module.css'

/** The bar below a file by which its view is changed: zoom, pages, search. */
export function ViewControls({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className={styles.controls} role="toolbar" aria-label={label}>
      {children}
    </div>
  )
}

interface ViewButtonProps {
  readonly label: string
  readonly isPressed?: boolean
  readonly isDisabled?: boolean
  readonly onClick: () => void
  readonly children: ReactNode
}

export function ViewButton({ label, isPressed, isDisabled, onClick, children }: ViewButtonProps) {
  return (
    <IconButton
      label={label}
      className={styles.button}
      aria-pressed={isPressed}
      // A disabled button would lose the focus.
      aria-disabled={isDisabled}
      onClick={() => !isDisabled && onClick()}
    >
      {children}
    </IconButton>
  )
}
