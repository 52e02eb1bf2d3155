import { Button, TextInput } from '@mantine/core'
import { IconInfoCircle, IconPlus, IconSearch } from '@tabler/icons-react'
import { useEffect, useId, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useSession } from '../../../api/session.ts'
import { useStore } from '../../../lib/store.ts'
import { Card } from '../../../ui/Card.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { QrCode } from '../../../ui/QrCode.tsx'
import { CopyValue } from '../app-passwords/CopyValue.tsx'
import { CONNECT_APP, createdAppPassword, davAddress } from '../app-passwords/created-app-password.ts'
import { ClientSteps } from './ClientSteps.tsx'
import styles from './ConnectApp.module.css'
import { type Client, clients, findClients } from './clients.ts'
import { type Connection, isInsecure, PASSWORD_PLACEHOLDER } from './connection.ts'

interface ConnectAppProps {
  /** Opens the dialog that creates an app password, which suggests this name. */
  readonly onCreate: (name: string) => void
}

/** Shows how to connect an app: what it needs to know, and the steps in the app itself. */
export function ConnectApp({ onCreate }: ConnectAppProps) {
  const { email = '' } = useSession()
  const choice = useClientChoice()
  const created = useStore(createdAppPassword)
  // Another user may have signed in meanwhile.
  const secret = created?.user === email ? created.secret : undefined
  useEffect(
    () => () => {
      // Leaving the page forgets the app password. React's strict mode runs this without leaving.
      if (window.location.pathname !== CONNECT_APP) createdAppPassword.set(undefined)
    },
    [],
  )
  const address = davAddress()
  return (
    <div className={styles.page}>
      {isInsecure(address) && (
        <Notice
          tone="warning"
          text="This address is not encrypted (http). Others on the network could read the app password, and many apps refuse to connect. Open Alcove at an https address first."
        />
      )}
      <Card title="What every app asks for">
        <div className={styles.connection}>
          <div className={styles.values}>
            <dl className={styles.list}>
              <CopyValue label="Server address" value={address} />
              <CopyValue label="User name" value={email} />
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
      </Card>
      <ClientChoice
        {...choice}
        connection={{ address, user: email, password: secret ?? PASSWORD_PLACEHOLDER }}
        onCreate={onCreate}
      />
    </div>
  )
}

interface Choice {
  readonly chosen: Client
  /** How often the user has chosen an app. */
  readonly choices: number
  readonly choose: (client: Client) => void
}

/** Returns the app that the user has chosen. The address of the page names it. */
function useClientChoice(): Choice {
  const [searchParams, setSearchParams] = useSearchParams()
  const [{ chosen, choices }, setChoice] = useState(() => ({
    chosen: clients.find((client) => client.id === searchParams.get('app')) ?? clients[0],
    choices: 0,
  }))

  function choose(client: Client) {
    setChoice({ chosen: client, choices: choices + 1 })
    setSearchParams({ app: client.id }, { replace: true, preventScrollReset: true })
  }

  return { chosen, choices, choose }
}

interface ClientChoiceProps extends Choice, ConnectAppProps {
  readonly connection: Connection
}

/** Lets the user choose an app, and shows its steps. */
function ClientChoice({ chosen, choices, choose, connection, onCreate }: ClientChoiceProps) {
  const [words, setWords] = useState('')
  const id = useId()
  const found = findClients(words)
  return (
    <section className={styles.choice} aria-labelledby={id}>
      <div className={styles.side}>
        <h2 className={styles.title} id={id}>
          Your app
        </h2>
        <TextInput
          type="search"
          aria-label="Find your app"
          placeholder="Find your app"
          leftSection={<IconSearch size={18} stroke={1.75} />}
          value={words}
          onChange={(event) => setWords(event.currentTarget.value)}
        />
        <p className={styles.none} role="status">
          {found.length === 0 &&
            'There are no steps for this app. Any app that supports WebDAV works: enter the server address, the user name and an app password.'}
        </p>
        <ul className={styles.clients} aria-label="Apps">
          {found.map((client) => (
            <li key={client.id}>
              <button
                type="button"
                className={styles.client}
                aria-current={client === chosen || undefined}
                onClick={() => choose(client)}
              >
                <span className={styles.name}>{client.name}</span>
                <span className={styles.kind}>{client.kind}</span>
              </button>
            </li>
          ))}
        </ul>
      </div>
      <ClientSteps client={chosen} choices={choices} connection={connection} onCreate={onCreate} />
    </section>
  )
}
