import { Anchor, Button } from '@mantine/core'
import { IconInfoCircle, IconPackageImport, IconPlus } from '@tabler/icons-react'
import { Link } from 'react-router'
import { Card } from '../../../ui/Card.tsx'
import { QrCode } from '../../../ui/QrCode.tsx'
import { CopyValue } from '../app-passwords/CopyValue.tsx'
import { MOVE_IN } from '../app-passwords/created-app-password.ts'
import { ClientChoice, useClientChoice } from './ClientChoice.tsx'
import styles from './ConnectApp.module.css'
import { clients } from './clients.ts'
import { InsecureNotice } from './InsecureNotice.tsx'
import { useConnection } from './use-connection.ts'

interface ConnectAppProps {
  /** Opens the dialog that creates an app password, which suggests this name. */
  readonly onCreate: (name: string) => void
}

/** Shows how to connect an app: what it needs to know, and the steps in the app itself. */
export function ConnectApp({ onCreate }: ConnectAppProps) {
  const choice = useClientChoice(clients, 'app')
  const { connection, secret } = useConnection()
  const { address, user } = connection
  return (
    <div className={styles.page}>
      <InsecureNotice address={address} />
      <Card title="What every app asks for">
        <div className={styles.connection}>
          <div className={styles.values}>
            <dl className={styles.list}>
              <CopyValue label="Server address" value={address} />
              <CopyValue label="User name" value={user} />
              {secret && <CopyValue label="App password" value={secret} isSecret />}
            </dl>
            <p className={styles.text} role="status">
              {secret
                ? 'The instructions below contain the new app password until you leave this page. Then you can’t see it again.'
                : 'Apps sign in with an app password, never with your own password.'}
            </p>
            <Button
              variant={secret ? 'default' : 'filled'}
              leftSection={<IconPlus size={18} stroke={1.75} />}
              onClick={() => onCreate(choice.chosen.name)}
            >
              {secret ? 'Create another app password' : 'Create app password'}
            </Button>
          </div>
          <figure className={styles.qr}>
            <QrCode text={address} label="QR code of the server address" />
            <figcaption className={styles.caption}>Scan the server address</figcaption>
          </figure>
        </div>
        <p className={styles.note}>
          <IconInfoCircle size={18} stroke={1.75} aria-hidden />
          <span>
            Apps see the files of your drive. The vault isn’t there, because apps can’t decrypt it. What an app deletes
            goes to the trash.
          </span>
        </p>
        <p className={styles.note}>
          <IconPackageImport size={18} stroke={1.75} aria-hidden />
          <span>
            Your files are still at Nextcloud, Dropbox or Google Drive?{' '}
            <Anchor component={Link} to={MOVE_IN} inherit>
              Move them here
            </Anchor>
            .
          </span>
        </p>
      </Card>
      <ClientChoice
        {...choice}
        title="Your app"
        list="Apps"
        find="Find your app"
        connection={connection}
        onCreate={onCreate}
      >
        There are no steps for this app. Any app that supports WebDAV works: enter the server address, the user name and
        an app password.
      </ClientChoice>
    </div>
  )
}
