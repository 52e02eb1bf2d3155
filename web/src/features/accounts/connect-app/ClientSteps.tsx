import { Button, VisuallyHidden } from '@mantine/core'
import { useEffect, useId, useRef } from 'react'
import { CopyValue } from '../app-passwords/CopyValue.tsx'
import styles from './ClientSteps.module.css'
import type { Client, Step } from './clients.ts'
import { type Connection, PASSWORD_PLACEHOLDER } from './connection.ts'

interface ClientStepsProps {
  readonly client: Client
  /** How often the user has chosen an app. */
  readonly choices: number
  readonly connection: Connection
  /** Opens the dialog that creates an app password, which suggests this name. */
  readonly onCreate: (name: string) => void
}

/** The numbered steps for one app, and notes about it. */
export function ClientSteps({ client, choices, connection, onCreate }: ClientStepsProps) {
  const id = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    // The list of apps is long: the focus, and with it the page, moves to the steps.
    if (choices > 0 && heading.current) showHeading(heading.current)
  }, [choices])
  const hasPassword = connection.password !== PASSWORD_PLACEHOLDER
  const notes = client.notes?.(connection) ?? []
  return (
    <article className={styles.steps} aria-labelledby={id}>
      <h3 ref={heading} className={styles.name} id={id} tabIndex={-1}>
        {client.name}
      </h3>
      <ol className={styles.list}>
        <li className={styles.step}>
          <p className={styles.text}>
            {hasPassword
              ? 'Your new app password is filled in below.'
              : 'Create an app password. It is then filled in below.'}
          </p>
          <Button className={styles.create} variant="default" size="xs" onClick={() => onCreate(client.name)}>
            {hasPassword ? 'Create another password' : 'Create a password'}
            <VisuallyHidden>&nbsp;for {client.name}</VisuallyHidden>
          </Button>
        </li>
        {client.steps(connection).map((step) => (
          <li key={step.text} className={styles.step}>
            <StepText step={step} />
          </li>
        ))}
      </ol>
      {notes.length > 0 && (
        <>
          <h4 className={styles.notesTitle}>Good to know</h4>
          <ul className={styles.notes}>
            {notes.map((note) => (
              <li key={note.text}>
                <StepText step={note} />
              </li>
            ))}
          </ul>
        </>
      )}
    </article>
  )
}

/** Moves the focus to a heading, and the page if the heading is not in its upper half. */
function showHeading(heading: HTMLElement): void {
  heading.focus({ preventScroll: true })
  const { top } = heading.getBoundingClientRect()
  if (top < 0 || top > window.innerHeight / 2) heading.scrollIntoView()
}

function StepText({ step: { text, lines } }: { readonly step: Step }) {
  return (
    <>
      <p className={styles.text}>
        {text.split('**').map((part, index) =>
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence never change their order
          index % 2 === 1 ? <strong key={index}>{part}</strong> : part,
        )}
      </p>
      {lines && (
        <dl className={styles.lines}>
          {lines.map((line) => (
            <CopyValue
              key={line.text}
              label={line.label}
              value={line.text}
              isPlaceholder={line.text === PASSWORD_PLACEHOLDER}
            />
          ))}
        </dl>
      )}
    </>
  )
}
