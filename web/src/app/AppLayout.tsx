import { useMediaQuery } from '@mantine/hooks'
import { useState } from 'react'
import { Link, Outlet } from 'react-router'
import { UploadsButton } from '../features/uploads/UploadsButton.tsx'
import { UploadTray } from '../features/uploads/UploadTray.tsx'
import { useChangesElsewhere } from '../lib/changes-elsewhere.ts'
import { later, useLater } from '../lib/later.ts'
import { Logo } from '../ui/Logo.tsx'
import { PageHeaderSlot, PageStripSlot } from '../ui/PageHeader.tsx'
import { AccountMenu } from './AccountMenu.tsx'
import styles from './AppLayout.module.css'
import { AppShortcuts } from './AppShortcuts.tsx'
import { ConnectionLine } from './ConnectionLine.tsx'
import { NavigationList } from './NavigationList.tsx'
import { NowPlayingPlace } from './NowPlayingPlace.tsx'
import type { NavigationItem } from './navigation.ts'
import { PhoneMenu } from './PhoneMenu.tsx'
import { MAIN_ID, SkipLink } from './SkipLink.tsx'
import { ThemeToggle } from './ThemeToggle.tsx'
import { useFocusMain } from './use-focus-main.ts'

const dragLayer = later(() => import('../ui/items/DragLayer.tsx'), 'soon')

interface AppLayoutProps {
  readonly navigation: readonly NavigationItem[]
}

/** The frame of every signed-in screen: navigation, header, and the one panel that is set into the wall. */
export function AppLayout({ navigation }: AppLayoutProps) {
  const [slot, setSlot] = useState<HTMLElement | null>(null)
  const [strip, setStrip] = useState<HTMLElement | null>(null)
  const isWide = useMediaQuery('(min-width: 62em)', undefined, { getInitialValueInEffect: false })
  const dragging = useLater(dragLayer, false)
  useFocusMain()
  useChangesElsewhere()
  return (
    <PageHeaderSlot.Provider value={slot}>
      <PageStripSlot.Provider value={strip}>
        <SkipLink />
        <div className={styles.shell}>
          <nav className={styles.side} aria-label="Main">
            <Link className={styles.home} to="/profile" aria-label="Alcove">
              <Logo />
            </Link>
            <NavigationList navigation={navigation} />
            {isWide && <NowPlayingPlace />}
          </nav>
          <header className={styles.header}>
            <Link className={styles.phoneHome} to="/profile" aria-label="Alcove">
              <Logo />
            </Link>
            <div className={styles.slot} ref={setSlot} />
            <UploadsButton />
            <div className={styles.tools}>
              <ThemeToggle />
              <AccountMenu />
            </div>
            <PhoneMenu>{(close) => <NavigationList navigation={navigation} onChoose={close} />}</PhoneMenu>
          </header>
          <div className={styles.strip} ref={setStrip} />
          {!isWide && <NowPlayingPlace />}
          <div className={styles.panel}>
            <ConnectionLine />
            <main className={styles.main} id={MAIN_ID} tabIndex={-1}>
              <Outlet />
            </main>
            <AppFooter />
          </div>
        </div>
        <UploadTray />
        {dragging && <dragging.DragLayer />}
        <AppShortcuts />
      </PageStripSlot.Provider>
    </PageHeaderSlot.Provider>
  )
}

function AppFooter() {
  return (
    <footer className={styles.footer}>
      <span>© {new Date().getFullYear()} Alcove</span>
      <div className={styles.footerGroups}>
        <div className={styles.footerGroup}>
          <strong>Legal</strong>
          <Link to="/terms-of-service">Terms of Service</Link>
          <Link to="/privacy-policy">Privacy Policy</Link>
        </div>
        <div className={styles.footerGroup}>
          <strong>Navigation</strong>
          <Link to="/">Home</Link>
        </div>
      </div>
    </footer>
  )
}
