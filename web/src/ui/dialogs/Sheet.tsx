import { Drawer } from '@mantine/core'
import { useMounted } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { topDialogBody, useToastPlace } from '../toasts/toast-places.ts'
import styles from './Sheet.module.css'
import { useOverlay } from './use-overlay.ts'

interface SheetProps {
  /** The accessible name of the sheet. */
  readonly label: string
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A sheet at the lower edge of a phone. Escape, Back, the scrim and its button close it. */
export function Sheet({ label, isOpen, onClose, children }: SheetProps) {
  // The drawer has to see itself open, else it does not know where the focus goes back to.
  const isMounted = useMounted()
  useOverlay(isOpen, onClose)
  useToastPlace(isOpen, topDialogBody)
  return (
    <Drawer
      opened={isOpen && isMounted}
      position="bottom"
      size="auto"
      withCloseButton={false}
      attributes={{ content: { 'aria-label': label } }}
      classNames={{ content: styles.sheet, body: styles.body }}
      overlayProps={{ color: 'var(--alcove-scrim)', backgroundOpacity: 1 }}
      onClose={onClose}
    >
      <button className={styles.handle} type="button" aria-label="Close" onClick={onClose} />
      {children}
    </Drawer>
  )
}
