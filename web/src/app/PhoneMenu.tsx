import { ActionIcon, Drawer } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconMenu2, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Logo } from '../ui/Logo.tsx'
import styles from './PhoneMenu.module.css'
import { ThemeToggle } from './ThemeToggle.tsx'

interface PhoneMenuProps {
  /** The navigation; it calls `close` when a place is chosen. */
  readonly children: (close: () => void) => ReactNode
}

/** The tools of the header on a narrow screen, and the menu that drops from it over a scrim. */
export function PhoneMenu({ children }: PhoneMenuProps) {
  const [isOpen, { open, close }] = useDisclosure(false)
  return (
    <>
      <div className={styles.tools}>
        <ThemeToggle />
        <ActionIcon size={44} aria-label="Open menu" aria-expanded={isOpen} aria-haspopup="dialog" onClick={open}>
          <IconMenu2 size={22} stroke={1.75} />
        </ActionIcon>
      </div>
      <Drawer.Root
        opened={isOpen}
        onClose={close}
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
              <ActionIcon size={44} variant="default" aria-label="Close menu" data-autofocus onClick={close}>
                <IconX size={22} stroke={1.75} />
              </ActionIcon>
            </div>
          </div>
          <nav className={styles.list} aria-label="Main">
            {children(close)}
          </nav>
        </Drawer.Content>
      </Drawer.Root>
    </>
  )
}
