import { Button } from '@mantine/core'
import { Link, NavLink, Outlet, useLocation } from 'react-router'
import { useSession } from '../../api/session.ts'
import { useSignOut } from '../../features/accounts/sign-in/use-sign-out.ts'
import { canRegister } from '../../lib/sign-up.ts'
import { hasPlans, siteName } from '../../lib/site.ts'
import { useIsHydrated } from '../../lib/use-is-hydrated.ts'
import { Logo } from '../../ui/Logo.tsx'
import { type NavigationItem, NavigationList } from './NavigationList.tsx'
import { PhoneMenu } from './PhoneMenu.tsx'
import styles from './PublicLayout.module.css'
import { MAIN_ID, SkipLink, useFocusMain } from './SkipLink.tsx'

interface PublicLayoutProps {
  readonly navigation: readonly NavigationItem[]
}

/** The layout of the screens that need no session. */
export function PublicLayout({ navigation }: PublicLayoutProps) {
  useFocusMain()
  return (
    <div className={styles.page}>
      <SkipLink />
      <PublicHeader navigation={navigation} />
      <main className={styles.main} id={MAIN_ID} tabIndex={-1}>
        <Outlet />
      </main>
      <PublicFooter />
    </div>
  )
}

function PublicHeader({ navigation }: PublicLayoutProps) {
  const { token } = useSession()
  return (
    <header className={styles.header}>
      <div className={styles.inner}>
        <Link className={styles.home} to="/" aria-label={siteName}>
          <Logo />
        </Link>
        <nav className={styles.links} aria-label="Main">
          <Sections />
          {token ? <UserLinks /> : <VisitorLinks />}
        </nav>
        <PhoneMenu>
          {(close) => (
            <div className={styles.menu} onClickCapture={(event) => (event.target as Element).closest('a') && close()}>
              <Sections />
              {token ? <NavigationList navigation={navigation} onChoose={close} /> : <VisitorLinks />}
            </div>
          )}
        </PhoneMenu>
      </div>
    </header>
  )
}

/** Links to the sections of the landing page, on that page only. */
function Sections() {
  const { pathname } = useLocation()
  if (pathname !== '/' && pathname !== '/landing-page') return null
  const sections = hasPlans() ? ['Features', 'Pricing', 'Contact'] : ['Features', 'Contact']
  return sections.map((section) => (
    <Link key={section} className={styles.link} to={{ hash: section.toLowerCase() }}>
      {section}
    </Link>
  ))
}

function VisitorLinks() {
  const { pathname } = useLocation()
  const isRegisterTheButton = pathname === '/login' && canRegister()
  return (
    <>
      {pathname !== '/' && (
        <Link className={styles.link} to="/">
          Home
        </Link>
      )}
      {pathname !== '/register' && canRegister() && !isRegisterTheButton && (
        <Link className={styles.link} to="/register">
          Register
        </Link>
      )}
      {(isRegisterTheButton || pathname !== '/login') && (
        <Button variant="default" component={Link} to={isRegisterTheButton ? '/register' : '/login'}>
          {isRegisterTheButton ? 'Register' : 'Sign In'}
        </Button>
      )}
    </>
  )
}

function UserLinks() {
  const { pathname } = useLocation()
  const signOut = useSignOut()
  return (
    <>
      {pathname !== '/' && (
        <Link className={styles.link} to="/">
          Home
        </Link>
      )}
      <button type="button" className={styles.link} onClick={() => void signOut()}>
        Sign Out
      </button>
      <Button variant="default" component={NavLink} to="/profile">
        Profile
      </Button>
    </>
  )
}

function PublicFooter() {
  const { token } = useSession()
  // A prerendered page may have been built in a previous year.
  const year = useIsHydrated() ? new Date().getFullYear() : import.meta.env.ALCOVE_BUILD_YEAR
  return (
    <footer className={styles.footer}>
      <div className={styles.footerInner}>
        <div className={styles.columns}>
          <div className={styles.logo}>
            <Logo tone="onDark" />
          </div>
          <div className={styles.column}>
            <h2>Legal</h2>
            <Link to="/terms-of-service">Terms of Service</Link>
            <Link to="/privacy-policy">Privacy Policy</Link>
          </div>
          <div className={styles.column}>
            <h2>Navigation</h2>
            <Link to="/">Home</Link>
            {!token && canRegister() && <Link to="/register">Register</Link>}
            {!token && <Link to="/login">Login</Link>}
          </div>
        </div>
        <p className={styles.copyright}>
          © {year} {siteName}
        </p>
      </div>
    </footer>
  )
}
