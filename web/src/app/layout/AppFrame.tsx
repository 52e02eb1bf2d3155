import type { ReactNode, Ref } from 'react'
import { Link } from 'react-router'
import { Logo } from '../../ui/Logo.tsx'
import { AccountMenu } from './AccountMenu.tsx'
import styles from './AppFrame.module.css'
import { NavigationList } from './NavigationList.tsx'
import type { NavigationItem } from './navigation.ts'
import { PhoneMenu } from './PhoneMenu.tsx'
import { MAIN_ID, SkipLink } from './SkipLink.tsx'
import { ThemeToggle } from './ThemeToggle.tsx'

interface AppFrameProps {
  readonly navigation: readonly NavigationItem[]
  /** What the page puts into the header: written here, or put into the element by a portal. */
  readonly header?: ReactNode
  readonly headerRef?: Ref<HTMLDivElement>
  /** The same for the strip below the header of a phone. */
  readonly strip?: ReactNode
  readonly stripRef?: Ref<HTMLDivElement>
  /** At the foot of the navigation, and above the panel. */
  readonly sideFoot?: ReactNode
  readonly panelHead?: ReactNode
  /** In the header, before the tools. */
  readonly uploads?: ReactNode
  /** Above the page, in the panel. */
  readonly notice?: ReactNode
  readonly children: ReactNode
}

/** The frame of every signed-in screen: navigation, header, and the one panel that is set into the wall. */
export function AppFrame(props: AppFrameProps) {
  const { navigation, header, headerRef, strip, stripRef, sideFoot, panelHead, uploads, notice, children } = props
  return (
    <>
      <SkipLink />
      <div className={styles.shell}>
        <nav className={styles.side} aria-label="Main">
          <Link className={styles.home} to="/profile" aria-label="Alcove">
            <Logo />
          </Link>
          <NavigationList navigation={navigation} />
          {sideFoot}
        </nav>
        <header className={styles.header}>
          <Link className={styles.phoneHome} to="/profile" aria-label="Alcove">
            <Logo />
          </Link>
          <div className={styles.slot} ref={headerRef}>
            {header}
          </div>
          {uploads}
          <div className={styles.tools}>
            <ThemeToggle />
            <AccountMenu />
          </div>
          <PhoneMenu>{(close) => <NavigationList navigation={navigation} onChoose={close} />}</PhoneMenu>
        </header>
        <div className={styles.strip} ref={stripRef}>
          {strip}
        </div>
        {panelHead}
        <div className={styles.panel}>
          {notice}
          <main className={styles.main} id={MAIN_ID} tabIndex={-1}>
            {children}
          </main>
          <AppFooter />
        </div>
      </div>
    </>
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
