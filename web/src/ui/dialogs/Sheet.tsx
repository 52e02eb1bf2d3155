import { Drawer } from '@mantine/core'
import type { ReactNode } from 'react'
import { topDialogBody, useToastPlace } from '../toasts/toasts.ts'
import { useDialog } from './open-layers.ts'
import styles from './Sheet.module.css'
import { scrim } from './scrim.ts'

interface SheetProps {
  /** The accessible name of the sheet. */
  readonly label: string
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A sheet at the bottom of a phone. Escape, Back, a click outside and its button close it. */
export function Sheet({ label, isOpen, onClose, children }: SheetProps) {
  const dialog = useDialog(isOpen, onClose)
  useToastPlace(isOpen, topDialogBody)
  return (
    <Drawer
      {...dialog}
      position="bottom"
      size="auto"
      withCloseButton={false}
      attributes={{ content: { 'aria-label': label } }}
      classNames={{ content: styles.sheet, body: styles.body }}
      overlayProps={scrim}
    >
      <button className={styles.handle} type="button" aria-label="Close" onClick={onClose} />
      {children}
    </Drawer>
  )
}
