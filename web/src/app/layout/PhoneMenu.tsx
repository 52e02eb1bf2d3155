import { ActionIcon } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconMenu2 } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { lazyModule, useLazyModule } from '../../lib/lazy-module.ts'
import { useIsHydrated } from '../../lib/use-is-hydrated.ts'
import styles from './PhoneMenu.module.css'
import { ThemeToggle } from './ThemeToggle.tsx'

const sheet = lazyModule(() => import('./PhoneMenuSheet.tsx'))

interface PhoneMenuProps {
  /** The navigation. It calls `close` when an item is chosen. */
  readonly children: (close: () => void) => ReactNode
}

/** The tools of the header on narrow screens, with the menu that opens from it. */
export function PhoneMenu({ children }: PhoneMenuProps) {
  const [isOpen, { open, close }] = useDisclosure(false)
  const module = useLazyModule(sheet, isOpen)
  const isHydrated = useIsHydrated()
  return (
    <>
      {/* Buttons that don't work yet don't show. */}
      <div className={styles.tools} data-waiting={!isHydrated || undefined}>
        <span className={styles.theme}>
          <ThemeToggle />
        </span>
        <ActionIcon size={44} aria-label="Open menu" aria-expanded={isOpen} aria-haspopup="dialog" onClick={open}>
          <IconMenu2 size={22} stroke={1.75} />
        </ActionIcon>
      </div>
      {module && (
        <module.PhoneMenuSheet isOpen={isOpen} onClose={close}>
          {children(close)}
        </module.PhoneMenuSheet>
      )}
    </>
  )
}
