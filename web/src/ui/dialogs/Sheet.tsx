import { Drawer } from '@mantine/core'
import { useMounted } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { topDialogBody, useToastPlace } from '../toasts/toasts.ts'
import { useOverlay } from './overlay-history.ts'
import styles from './Sheet.module.css'

interface SheetProps {
  /** The accessible name of the sheet. */
  readonly label: string
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A sheet at the bottom of a phone. Escape, Back, a click outside and its button close it. */
export function Sheet({ label, isOpen, onClose, children }: SheetProps) {
  // The drawer must be rendered closed first, or it doesn't know where to return the focus.
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
