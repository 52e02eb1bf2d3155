import { Menu, UnstyledButton } from '@mantine/core'
import { IconActivity, IconLink, IconLogout, IconUser, IconUsers } from '@tabler/icons-react'
import type { ReactNode, Ref } from 'react'
import { Link } from 'react-router'
import { useSession } from '../../api/session.ts'
import { useSignOut } from '../../features/accounts/sign-in/use-sign-out.ts'
import { siteName } from '../../lib/site.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { Dropdown } from '../../ui/Dropdown.tsx'
import { Logo } from '../../ui/Logo.tsx'
import styles from './AppFrame.module.css'
import { type NavigationItem, NavigationList } from './NavigationList.tsx'
import { PhoneMenu } from './PhoneMenu.tsx'
import { MAIN_ID, SkipLink } from './SkipLink.tsx'
import { ThemeToggle } from './ThemeToggle.tsx'

interface AppFrameProps {
  readonly navigation: readonly NavigationItem[]
  /** The part of the header that belongs to the page: as a node, or by a portal into the element. */
  readonly header?: ReactNode
  readonly headerRef?: Ref<HTMLDivElement>
  /** The same for the strip below the header of a phone. */
  readonly strip?: ReactNode
  readonly stripRef?: Ref<HTMLDivElement>
  /** An item of the navigation that is loaded later. Gets the function that closes the menu on a phone. */
  readonly lateItem?: (onChoose?: () => void) => ReactNode
  /** At the end of the navigation, and above the panel. */
  readonly sideFoot?: ReactNode
  readonly panelHead?: ReactNode
  /** In the header, before the tools. */
  readonly uploads?: ReactNode
  /** In the header, in a place that is kept free for it. */
  readonly bell?: ReactNode
  /** Above the page, in the panel. */
  readonly notice?: ReactNode
  readonly children: ReactNode
}

/** The frame of every signed-in screen: navigation, header, and the panel that contains the page. */
export function AppFrame(props: AppFrameProps) {
  const { navigation, header, headerRef, strip, stripRef, lateItem, sideFoot, panelHead, uploads, bell, notice } = props
  return (
    <>
      <SkipLink />
      <div className={styles.shell}>
        <nav className={styles.side} aria-label="Main">
          <Link className={styles.home} to="/profile" aria-label={siteName}>
            <Logo />
          </Link>
          <NavigationList navigation={navigation} lateItem={lateItem?.()} />
          {sideFoot}
        </nav>
        <header className={styles.header}>
          <Link className={styles.phoneHome} to="/profile" aria-label={siteName}>
            <Logo />
          </Link>
          <div className={styles.slot} ref={headerRef}>
            {header}
          </div>
          {uploads}
          <div className={styles.bell}>{bell}</div>
          <div className={styles.tools}>
            <ThemeToggle />
            <AccountMenu />
          </div>
          <PhoneMenu>
            {(close) => <NavigationList navigation={navigation} lateItem={lateItem?.(close)} onChoose={close} />}
          </PhoneMenu>
        </header>
        <div className={styles.strip} ref={stripRef}>
          {strip}
        </div>
        {panelHead}
        <div className={styles.panel}>
          {notice}
          <main className={styles.main} id={MAIN_ID} tabIndex={-1}>
            {props.children}
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
      <span>
        © {new Date().getFullYear()} {siteName}
      </span>
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

/** The menu of the account, behind the user's initial in the header. */
function AccountMenu() {
  const { email } = useSession()
  const signOut = useSignOut()
  return (
    <Dropdown position="bottom-end">
      <Menu.Target>
        <UnstyledButton className={styles.avatar} aria-label={`Signed in as ${email}`}>
          <Avatar email={email} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label className={styles.email}>{email}</Menu.Label>
        <Menu.Item component={Link} to="/account" leftSection={<IconUser size={18} stroke={1.75} />}>
          Account
        </Menu.Item>
        <Menu.Item component={Link} to="/shared-links" leftSection={<IconLink size={18} stroke={1.75} />}>
          Shared links
        </Menu.Item>
        <Menu.Item component={Link} to="/shared-with-me" leftSection={<IconUsers size={18} stroke={1.75} />}>
          Shared with me
        </Menu.Item>
        <Menu.Item component={Link} to="/activity" leftSection={<IconActivity size={18} stroke={1.75} />}>
          Activity
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={18} stroke={1.75} />} onClick={() => void signOut()}>
          Sign Out
        </Menu.Item>
      </Menu.Dropdown>
    </Dropdown>
  )
}
