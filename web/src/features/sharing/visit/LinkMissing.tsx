import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { VaseNiche } from '../../../ui/art/niches.tsx'
import styles from './LinkMessage.module.css'
import { linkAddress, type Visit } from './link-address.ts'

interface LinkMissingProps {
  readonly visit: Visit
  /** A folder inside the link was asked for: the link itself may still be there. */
  readonly isInside: boolean
}

/** The page of a link that shows nothing: nobody learns why. */
export function LinkMissing({ visit, isInside }: LinkMissingProps) {
  return (
    <div className={styles.message}>
      <VaseNiche className={styles.art} />
      <h1 className={styles.title}>{isInside ? 'This folder is not here' : 'Nothing is shared here'}</h1>
      <p className={styles.text}>
        {isInside
          ? 'It may have been moved or deleted, or is no longer shared.'
          : 'This link does not exist, or is no longer shared. Ask whoever sent it for a new one.'}
      </p>
      {isInside ? (
        <Button component={Link} to={linkAddress(visit)} mt="md">
          Go to what is shared
        </Button>
      ) : (
        <Button component={Link} to="/" variant="default" mt="md">
          Home
        </Button>
      )}
    </div>
  )
}
