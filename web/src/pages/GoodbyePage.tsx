import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { siteName } from '../lib/site.ts'
import { ArtPage } from '../ui/ArtPage.tsx'
import { KeyNiche } from '../ui/art/niches.tsx'
import styles from './GoodbyePage.module.css'

/** The page after the deletion of an account. */
export function GoodbyePage() {
  return (
    <ArtPage title="Goodbye" lead="The key is back on its hook." art={<KeyNiche />}>
      <p className={styles.text}>
        Your account and all its files, including the vault and the trash, are deleted. Nobody can sign in to it again.
        Thank you for using {siteName}.
      </p>
      <p className={styles.text}>If you want to come back, you can register a new account at any time.</p>
      <Button size="lg" component={Link} to="/">
        Home
      </Button>
    </ArtPage>
  )
}
