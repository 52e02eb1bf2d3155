import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type ReactNode, useId, useState } from 'react'
import { useSearchParams } from 'react-router'
import { ClientSteps } from './ClientSteps.tsx'
import styles from './ConnectApp.module.css'
import { type Client, findClients } from './clients.ts'
import type { Connection } from './connection.ts'

interface Choice {
  readonly clients: readonly Client[]
  readonly chosen: Client
  /** How often the user has chosen an app. */
  readonly choices: number
  readonly choose: (client: Client) => void
}

/** Returns the client that the user has chosen. The address of the page names it, in this parameter. */
export function useClientChoice(clients: readonly [Client, ...Client[]], parameter: string): Choice {
  const [searchParams, setSearchParams] = useSearchParams()
  const [{ chosen, choices }, setChoice] = useState(() => ({
    chosen: clients.find((client) => client.id === searchParams.get(parameter)) ?? clients[0],
    choices: 0,
  }))

  function choose(client: Client) {
    setChoice({ chosen: client, choices: choices + 1 })
    setSearchParams({ [parameter]: client.id }, { replace: true, preventScrollReset: true })
  }

  return { clients, chosen, choices, choose }
}

interface ClientChoiceProps extends Choice {
  readonly title: string
  /** The name of the list. */
  readonly list: string
  /** The name of the field that searches it. Undefined for a short list without one. */
  readonly find?: string
  readonly connection: Connection
  /** Opens the dialog that creates an app password, which suggests this name. */
  readonly onCreate: (name: string) => void
  /** Said if a search finds none. */
  readonly children?: ReactNode
}

/** Lets the user choose an app or service, and shows its steps. */
export function ClientChoice(props: ClientChoiceProps) {
  const { clients, chosen, choices, choose, title, list, find, connection, onCreate, children } = props
  const [words, setWords] = useState('')
  const id = useId()
  const found = findClients(words, clients)
  return (
    <section className={styles.choice} aria-labelledby={id}>
      <div className={styles.side}>
        <h2 className={styles.title} id={id}>
          {title}
        </h2>
        {find && (
          <TextInput
            type="search"
            aria-label={find}
            placeholder={find}
            leftSection={<IconSearch size={18} stroke={1.75} />}
            value={words}
            onChange={(event) => setWords(event.currentTarget.value)}
          />
        )}
        <p className={styles.none} role="status">
          {found.length === 0 && children}
        </p>
        <ul className={styles.clients} aria-label={list}>
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
