import { ActionIcon, Drawer } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useDialog } from '../../ui/dialogs/open-layers.ts'
import { Logo } from '../../ui/Logo.tsx'
import styles from './PhoneMenu.module.css'
import { ThemeToggle } from './ThemeToggle.tsx'

interface PhoneMenuSheetProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}

/** The menu itself, which is loaded after the first screen. */
export function PhoneMenuSheet({ isOpen, onClose, children }: PhoneMenuSheetProps) {
  const dialog = useDialog(isOpen, onClose)
  return (
    <Drawer.Root
      {...dialog}
      position="top"
      size="auto"
      transitionProps={{ transition: 'slide-down', duration: 240, exitDuration: 160 }}
    >
      <Drawer.Overlay color="var(--alcove-scrim)" backgroundOpacity={1} />
      <Drawer.Content className={styles.sheet} aria-label="Menu">
        <div className={styles.bar}>
          <Logo />
          <div className={styles.tools}>
            <ThemeToggle />
            <ActionIcon size={44} variant="default" aria-label="Close menu" data-autofocus onClick={onClose}>
              <IconX size={22} stroke={1.75} />
            </ActionIcon>
          </div>
        </div>
        <nav className={styles.list} aria-label="Main">
          {children}
        </nav>
      </Drawer.Content>
    </Drawer.Root>
  )
}
