import { Link } from 'react-router'
import { useSession } from '../../api/session.ts'
import { useIsHydrated } from '../../lib/use-is-hydrated.ts'
import { Logo } from '../../ui/Logo.tsx'
import styles from './PublicFooter.module.css'

export function PublicFooter() {
  const { token } = useSession()
  // A prerendered page may have been built in another year.
  const year = useIsHydrated() ? new Date().getFullYear() : import.meta.env.ALCOVE_BUILD_YEAR
  return (
    <footer className={styles.footer}>
      <div className={styles.inner}>
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
            {!token && <Link to="/register">Register</Link>}
            {!token && <Link to="/login">Login</Link>}
          </div>
        </div>
        <p className={styles.copyright}>© {year} Alcove</p>
      </div>
    </footer>
  )
}
