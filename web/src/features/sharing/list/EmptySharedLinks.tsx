import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { DevicesNiche } from '../../../ui/art/niches.tsx'
import styles from './SharedLinksList.module.css'

export function EmptySharedLinks() {
  return (
    <div className={styles.empty}>
      <DevicesNiche className={styles.art} />
      <h2 className={styles.title}>Nothing is shared</h2>
      <p className={styles.hint}>
        Choose Public Link in the menu of a file or folder, and its link will be listed here as long as it is enabled.
      </p>
      <Button component={Link} to="/profile">
        Go to your files
      </Button>
    </div>
  )
}
