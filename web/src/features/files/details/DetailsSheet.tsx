import { Drawer } from '@mantine/core'
import { useMounted } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { useOverlay } from '../../../ui/dialogs/use-overlay.ts'
import { topDialogBody, useToastPlace } from '../../../ui/toasts/toast-places.ts'
import styles from './DetailsPane.module.css'

interface DetailsSheetProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}

/** The details as a sheet over the list, where there is no room beside it. */
export function DetailsSheet({ isOpen, onClose, children }: DetailsSheetProps) {
  // The drawer has to see itself open, else it does not know where the focus goes back to.
  const isMounted = useMounted()
  useOverlay(isOpen, onClose)
  useToastPlace(isOpen, topDialogBody)
  return (
    <Drawer
      opened={isOpen && isMounted}
      position="bottom"
      size="auto"
      title="Details"
      closeButtonProps={{ 'aria-label': 'Close' }}
      attributes={{ header: { role: 'presentation' } }}
      classNames={{ content: styles.sheet, title: styles.sheetTitle, header: styles.sheetHeader }}
      overlayProps={{ color: 'var(--alcove-scrim)', backgroundOpacity: 1 }}
      onClose={onClose}
    >
      {children}
    </Drawer>
  )
}
