import type { ReactNode } from 'react'
import { TitledSheet } from '../../../ui/dialogs/TitledSheet.tsx'
import { topDialogBody, useToastPlace } from '../../../ui/toasts/toasts.ts'
import styles from './DetailsPane.module.css'

interface DetailsSheetProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}

/** The details as a sheet over the list, for windows without space beside it. */
export function DetailsSheet({ isOpen, onClose, children }: DetailsSheetProps) {
  useToastPlace(isOpen, topDialogBody)
  return (
    <TitledSheet opened={isOpen} title="Details" titleClass={styles.sheetTitle} onClose={onClose}>
      {children}
    </TitledSheet>
  )
}
