import { allowLoginFlow, denyLoginFlow, type LoginFlow } from '@alcove/contract/login-flows'
import { Anchor } from '@mantine/core'
import { IconCheck, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useLocation } from 'react-router'
import { send } from '../../../api/api.ts'
import { useAction } from '../../../api/use-call.ts'
import { formatMoment } from '../../../lib/format.ts'
import { BusyButton } from '../../../ui/BusyButton.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { failureText } from '../failure-text.ts'
import { useSignOut } from '../sign-in/use-sign-out.ts'
import styles from './LoginFlowScreen.module.css'
import { isOver } from './login-flow-queries.ts'

/** What became of the request. `redirect` is the address that hands the app password to the app, if it doesn't fetch it. */
export type Answer =
  | { readonly kind: 'allowed'; readonly app: string; readonly redirect: string | null }
  | { readonly kind: 'denied'; readonly app: string }
  | { readonly kind: 'over' }

const RIGHTS = [
  'See and download your files and folders',
  'Add, change, move and delete them',
  'Share them by public links, and change these links',
]
const LIMITS = ['Read your vault', 'Change your account or your plan']

interface AllowAppProps {
  readonly token: string
  readonly flow: LoginFlow
  readonly onAnswer: (answer: Answer) => void
}

/** Shows what the app would get and who asks for it, and takes the user's answer. */
export function AllowApp({ token, flow: { app, ip, startedAt, account }, onAnswer }: AllowAppProps) {
  const signOut = useSignOut()
  const { pathname } = useLocation()
  // One action for both, so that only one of them can run.
  const answer = useAction(async (isAllowed: boolean): Promise<Answer> => {
    try {
      if (isAllowed) return { kind: 'allowed', app, redirect: (await send(allowLoginFlow, { token })).redirect }
      await send(denyLoginFlow, { token })
      return { kind: 'denied', app }
    } catch (error) {
      if (error instanceof Error && isOver(error)) return { kind: 'over' }
      throw error
    }
  })

  function give(isAllowed: boolean) {
    answer.mutate(isAllowed, {
      onSuccess: (given) => {
        onAnswer(given)
        if (given.kind === 'allowed' && given.redirect) window.location.assign(given.redirect)
      },
    })
  }

  const isBusy = answer.isPending || answer.isSuccess
  return (
    <div className={styles.request}>
      <dl className={styles.details}>
        <dt>Account</dt>
        <dd>
          {account}
          <Anchor
            component="button"
            type="button"
            className={styles.switch}
            disabled={isBusy}
            onClick={() => void signOut({ target: pathname })}
          >
            Use another account
          </Anchor>
        </dd>
        <dt>Requested</dt>
        <dd>{formatMoment(startedAt)}</dd>
        <dt>IP address</dt>
        <dd>{ip}</dd>
      </dl>
      <ListOfRights title="The app can" rights={RIGHTS} icon={<IconCheck size={18} stroke={2} />} tone="can" />
      <ListOfRights title="It can’t" rights={LIMITS} icon={<IconX size={18} stroke={2} />} tone="cannot" />
      <Notice
        tone="warning"
        text="Allow this only if you have just connected this app yourself. If someone sent you a link to this page, choose Cancel."
      />
      {answer.isError && (
        <Notice
          tone="error"
          text={failureText(
            answer.error,
            'Couldn’t send your answer. Try again.',
            'Couldn’t reach the server. Check your connection and try again.',
          )}
        />
      )}
      <div className={styles.actions}>
        <BusyButton
          size="md"
          loading={isBusy && answer.variables === true}
          disabled={isBusy && !answer.variables}
          onClick={() => give(true)}
        >
          Allow
        </BusyButton>
        <BusyButton
          size="md"
          variant="default"
          loading={isBusy && answer.variables === false}
          disabled={isBusy && answer.variables}
          onClick={() => give(false)}
        >
          Cancel
        </BusyButton>
      </div>
    </div>
  )
}

interface ListOfRightsProps {
  readonly title: string
  readonly rights: readonly string[]
  readonly icon: ReactNode
  readonly tone: 'can' | 'cannot'
}

function ListOfRights({ title, rights, icon, tone }: ListOfRightsProps) {
  return (
    <section className={styles.rights} data-tone={tone}>
      <h2 className={styles.heading}>{title}</h2>
      <ul>
        {rights.map((right) => (
          <li key={right}>
            <span aria-hidden>{icon}</span>
            {right}
          </li>
        ))}
      </ul>
    </section>
  )
}
