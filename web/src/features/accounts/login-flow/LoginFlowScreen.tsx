import { Button } from '@mantine/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { ArtPage } from '../../../ui/ArtPage.tsx'
import { DevicesNiche } from '../../../ui/art/niches.tsx'
import { CheckingLink } from '../CheckingLink.tsx'
import { AllowApp, type Answer } from './AllowApp.tsx'
import styles from './LoginFlowScreen.module.css'
import { isOver, useLoginFlow } from './login-flow-queries.ts'

interface LoginFlowScreenProps {
  /** From the address that the app has opened. */
  readonly token: string
}

/** Asks the user whether an app may access their files, and says what to do next. */
export function LoginFlowScreen({ token }: LoginFlowScreenProps) {
  const flow = useLoginFlow(token)
  const [answer, setAnswer] = useState<Answer>()
  const { data, error } = flow
  if (answer) return <AnsweredScreen answer={answer} />
  if (isOver(error)) return <OverScreen />
  if (data) {
    return (
      <ArtPage title={`Allow “${data.app}” to access your files?`} art={<DevicesNiche />}>
        <AllowApp token={token} flow={data} onAnswer={setAnswer} />
      </ArtPage>
    )
  }
  return (
    <ArtPage title="Allow an app to access your files?" art={<DevicesNiche />}>
      <CheckingLink query={flow} failure="Couldn’t load the request of the app." />
    </ArtPage>
  )
}

function AnsweredScreen({ answer }: { readonly answer: Answer }) {
  if (answer.kind === 'over') return <OverScreen />
  if (answer.kind === 'denied') {
    return (
      <Outcome title="Access denied" text={`“${answer.app}” can’t access your files. You can close this page.`}>
        <FilesButton />
      </Outcome>
    )
  }
  return (
    <Outcome
      title="You’re all set"
      text={`“${answer.app}” can now access your files. You can go back to the app. To end its access later, revoke it under Apps and devices in your account.`}
    >
      {/* Some browsers follow such an address only if the user chooses it. */}
      {answer.redirect && (
        <Button component="a" size="md" href={answer.redirect}>
          Open the app
        </Button>
      )}
      <FilesButton />
    </Outcome>
  )
}

function OverScreen() {
  return (
    <Outcome
      title="This request has ended"
      text="It has expired or was already answered. To connect an app, start again in the app."
    >
      <FilesButton />
    </Outcome>
  )
}

function FilesButton() {
  return (
    <Button component={Link} to="/profile" size="md" variant="default">
      Go to your files
    </Button>
  )
}

interface OutcomeProps {
  readonly title: string
  readonly text: string
  readonly children: ReactNode
}

/** The last state of the page. It takes the focus from the button that is gone. */
function Outcome({ title, text, children }: OutcomeProps) {
  const message = useRef<HTMLParagraphElement>(null)
  useEffect(() => message.current?.focus(), [])
  return (
    <ArtPage title={title} art={<DevicesNiche />}>
      <p ref={message} className={styles.outcome} role="status" tabIndex={-1}>
        {text}
      </p>
      <div className={styles.actions}>{children}</div>
    </ArtPage>
  )
}
