import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useSession } from '../../../api/session.ts'
import { Logo } from '../../../ui/Logo.tsx'
import styles from './ShareFrame.module.css'

/** What surrounds whatever a link shows. */
export function ShareFrame({ children }: { readonly children: ReactNode }) {
  const { token } = useSession()
  return (
    <div className={styles.page}>
      <header className={styles.header}>
        <Link className={styles.home} to="/" aria-label="Alcove">
          <Logo />
        </Link>
        {token ? (
          <Button variant="default" component={Link} to="/profile">
            Profile
          </Button>
        ) : (
          <Button variant="default" component={Link} to="/register">
            Get Started With Free Tier
          </Button>
        )}
      </header>
      <main className={styles.panel}>{children}</main>
    </div>
  )
}
