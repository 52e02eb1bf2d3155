import { Button, Group, Title } from '@mantine/core'
import { Link } from 'react-router'
import { Logo } from '../ui/Logo.tsx'
import styles from './RouteError.module.css'

/** What shows when a screen fails to load or to render; a reload fetches a newer version of the product, too. */
export function RouteError() {
  return (
    <main className={styles.page}>
      <Logo />
      <Title order={1}>This page could not be shown</Title>
      <p className={styles.text}>Your files are safe. Check your connection, then load the page again.</p>
      <Group justify="center">
        <Button onClick={() => window.location.reload()}>Reload</Button>
        <Button variant="default" component={Link} to="/" reloadDocument>
          Home
        </Button>
      </Group>
    </main>
  )
}
