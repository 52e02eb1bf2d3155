import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { ArtPage } from '../ui/ArtPage.tsx'
import { KeyNiche } from '../ui/art/niches.tsx'
import styles from './GoodbyePage.module.css'

/** The page after the deletion of an account. */
export function GoodbyePage() {
  return (
    <ArtPage title="Goodbye" lead="The key is back on its hook." art={<KeyNiche />}>
      <p className={styles.text}>
        When an account is deleted, its files, its vault and its trash go with it, and nobody can sign in to it again.
        Thank you for the time you spent here.
      </p>
      <p className={styles.text}>Should you want a room again, a new one is ready whenever you are.</p>
      <Button size="lg" component={Link} to="/">
        Home
      </Button>
    </ArtPage>
  )
}
