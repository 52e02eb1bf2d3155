import { UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { lazyModule, useLazyModule } from '../../lib/lazy-module.ts'
import { StorageCard } from './StorageCard.tsx'
import styles from './StorageStrip.module.css'

const sheet = lazyModule(() => import('../../ui/dialogs/Sheet.tsx'))

/** The storage of a phone: one line between the header and the panel, which opens the full card. */
export function StorageStrip() {
  const [isOpen, setIsOpen] = useState(false)
  const part = useLazyModule(sheet, isOpen)
  return (
    <>
      <div className={styles.strip}>
        <StorageCard look="strip" />
        <UnstyledButton
          className={styles.button}
          aria-label="Your Storage Usage"
          aria-haspopup="dialog"
          onClick={() => setIsOpen(true)}
        />
      </div>
      {part && (
        <part.Sheet label="Your Storage Usage" isOpen={isOpen} onClose={() => setIsOpen(false)}>
          <StorageCard />
        </part.Sheet>
      )}
    </>
  )
}
