import { Anchor } from '@mantine/core'
import { IconBolt, IconCloudUpload } from '@tabler/icons-react'
import { Link } from 'react-router'
import { Card } from '../../../ui/Card.tsx'
import { CONNECT_APP } from '../app-passwords/created-app-password.ts'
import { ClientChoice, useClientChoice } from '../connect-app/ClientChoice.tsx'
import styles from '../connect-app/ConnectApp.module.css'
import { InsecureNotice } from '../connect-app/InsecureNotice.tsx'
import { useConnection } from '../connect-app/use-connection.ts'
import { services } from './services.ts'

interface MoveInProps {
  /** Opens the dialog that creates an app password, which suggests this name. */
  readonly onCreate: (name: string) => void
}

/** Shows how to move files here from another service, with rclone and an app password. */
export function MoveIn({ onCreate }: MoveInProps) {
  const choice = useClientChoice(services, 'from')
  const { connection, secret } = useConnection()
  return (
    <div className={styles.page}>
      <InsecureNotice address={connection.address} />
      <Card title="Bring everything with you">
        <p className={styles.text}>
          rclone is a free program that copies files from one cloud to another, with their folders and dates. It runs on
          your computer, so your password for the other service stays there.
        </p>
        <p className={styles.none} role="status">
          {secret &&
            'The commands below contain the new app password until you leave this page. Then you can’t see it again.'}
        </p>
        <p className={styles.note}>
          <IconCloudUpload size={18} stroke={1.75} aria-hidden />
          <span>
            For a few folders on this computer, drag them into{' '}
            <Anchor component={Link} to="/profile" inherit>
              your files
            </Anchor>
            . To keep a folder in sync,{' '}
            <Anchor component={Link} to={CONNECT_APP} inherit>
              connect an app
            </Anchor>
            .
          </span>
        </p>
        <p className={styles.note}>
          <IconBolt size={18} stroke={1.75} aria-hidden />
          <span>
            Hundreds of gigabytes on a disk, or an archive of Google Takeout? Whoever runs this Alcove can import them
            directly, which is much faster.
          </span>
        </p>
      </Card>
      <ClientChoice {...choice} title="Your files are at" list="Services" connection={connection} onCreate={onCreate} />
    </div>
  )
}
