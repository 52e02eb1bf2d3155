import { Button } from '@mantine/core'
import { Link, NavLink, useLocation } from 'react-router'
import { useSession } from '../../api/session.ts'
import { Logo } from '../../ui/Logo.tsx'
import { useSignOut } from '../use-sign-out.ts'
import { NavigationList } from './NavigationList.tsx'
import type { NavigationItem } from './navigation.ts'
import { PhoneMenu } from './PhoneMenu.tsx'
import styles from './PublicHeader.module.css'

interface PublicHeaderProps {
  readonly navigation: readonly NavigationItem[]
}

export function PublicHeader({ navigation }: PublicHeaderProps) {
  const { token } = useSession()
  return (
    <header className={styles.header}>
      <div className={styles.inner}>
        <Link className={styles.home} to="/" aria-label="Alcove">
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

/** The sections of the landing page, while it is shown. */
function Sections() {
  const { pathname } = useLocation()
  if (pathname !== '/' && pathname !== '/landing-page') return null
  return ['Features', 'Pricing', 'Contact'].map((section) => (
    <Link key={section} className={styles.link} to={{ hash: section.toLowerCase() }}>
      {section}
    </Link>
  ))
}

function VisitorLinks() {
  const { pathname } = useLocation()
  const isRegisterTheButton = pathname === '/login'
  return (
    <>
      {pathname !== '/' && (
        <Link className={styles.link} to="/">
          Home
        </Link>
      )}
      {pathname !== '/register' && !isRegisterTheButton && (
        <Link className={styles.link} to="/register">
          Register
        </Link>
      )}
      <Button variant="default" component={Link} to={isRegisterTheButton ? '/register' : '/login'}>
        {isRegisterTheButton ? 'Register' : 'Sign In'}
      </Button>
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
