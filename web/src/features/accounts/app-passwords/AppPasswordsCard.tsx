import { type AppPassword, revokeAppPassword } from '@alcove/contract/app-passwords'
import { Button } from '@mantine/core'
import { IconKey, IconPackageImport, IconPlugConnected, IconPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Link } from 'react-router'
import { useCall } from '../../../api/use-call.ts'
import { formatDayWithYear, formatMoment } from '../../../lib/format.ts'
import { BusyButton } from '../../../ui/BusyButton.tsx'
import { confirm } from '../../../ui/dialogs/dialogs.tsx'
import { notifyError, notifySuccess } from '../../../ui/toasts/notify.tsx'
import cardStyles from '../AccountCards.module.css'
import { failureText } from '../failure-text.ts'
import { QueryCard } from '../QueryCard.tsx'
import styles from './AppPasswordsCard.module.css'
import { describeExpiry, describeReach, describeUse, nameOfScope } from './app-password-texts.ts'
import { CONNECT_APP, MOVE_IN } from './created-app-password.ts'
import { appPasswordsKey, useAppPasswords } from './queries.ts'

interface AppPasswordsCardProps {
  /** Opens the dialog that creates an app password. */
  readonly onCreate: () => void
}

/** Lists the app passwords, with which apps sign in that can't show our sign-in, and revokes them. */
export function AppPasswordsCard({ onCreate }: AppPasswordsCardProps) {
  const createButton = useRef<HTMLButtonElement>(null)
  return (
    <QueryCard title="Apps and devices" query={useAppPasswords()} failure="Couldn’t load your app passwords.">
      {(appPasswords) => (
        <div className={cardStyles.body}>
          {appPasswords.length === 0 ? (
            <p className={cardStyles.text}>
              Connect your computer’s file manager, rclone, a phone app… Each app gets a password of its own, so it
              never sees yours.
            </p>
          ) : (
            <AppPasswordList appPasswords={appPasswords} onRevoked={() => createButton.current?.focus()} />
          )}
          <div className={cardStyles.actions}>
            <Button
              ref={createButton}
              variant="default"
              leftSection={<IconPlus size={18} stroke={1.75} />}
              onClick={onCreate}
            >
              Create app password
            </Button>
            <Button
              component={Link}
              to={CONNECT_APP}
              variant="subtle"
              leftSection={<IconPlugConnected size={18} stroke={1.75} />}
            >
              Set up an app
            </Button>
            <Button
              component={Link}
              to={MOVE_IN}
              variant="subtle"
              leftSection={<IconPackageImport size={18} stroke={1.75} />}
            >
              Move files here
            </Button>
          </div>
        </div>
      )}
    </QueryCard>
  )
}

/** A longer list is cut to this length until the user asks for all of it. */
const SHOWN_AT_FIRST = 6

interface AppPasswordListProps {
  readonly appPasswords: readonly AppPassword[]
  readonly onRevoked: () => void
}

function AppPasswordList({ appPasswords, onRevoked }: AppPasswordListProps) {
  const [isWhole, setWhole] = useState(false)
  const isLong = appPasswords.length > SHOWN_AT_FIRST
  const shown = isWhole ? appPasswords : appPasswords.slice(0, SHOWN_AT_FIRST)
  return (
    <>
      <ul className={cardStyles.rows} aria-label="Your app passwords">
        {shown.map((appPassword) => (
          <AppPasswordRow key={appPassword.id} appPassword={appPassword} onRevoked={onRevoked} />
        ))}
      </ul>
      {isLong && (
        <Button variant="subtle" size="xs" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show fewer' : `Show all ${appPasswords.length}`}
        </Button>
      )}
    </>
  )
}

interface AppPasswordRowProps {
  readonly appPassword: AppPassword
  /** Called when the app password is revoked, before its row and the focused button in it are removed. */
  readonly onRevoked: () => void
}

function AppPasswordRow({ appPassword, onRevoked }: AppPasswordRowProps) {
  const { id, name, scope, createdAt, expiresAt, lastUsedAt } = appPassword
  const revocation = useCall(revokeAppPassword)
  const queryClient = useQueryClient()
  const reach = describeReach(appPassword)
  const expiry = expiresAt === null ? undefined : describeExpiry(expiresAt)

  async function revoke() {
    const isConfirmed = await confirm({
      question: `Revoke “${name}”?`,
      detail: (
        <>
          <bdi>{name}</bdi> will lose access at once. You can’t undo this.
        </>
      ),
      verb: 'Revoke',
      icon: <IconKey size={20} stroke={1.75} />,
    })
    if (!isConfirmed) return
    revocation.mutate(
      { id },
      {
        onSuccess: ({ message }) => {
          onRevoked()
          notifySuccess(message)
        },
        onError: (error) => notifyError(failureText(error, 'Couldn’t revoke the app password.')),
        onSettled: () => void queryClient.invalidateQueries({ queryKey: appPasswordsKey }),
      },
    )
  }

  return (
    <li className={cardStyles.row}>
      <span className={cardStyles.plate} aria-hidden>
        <IconKey size={18} stroke={1.75} />
      </span>
      <div className={cardStyles.what}>
        <div className={cardStyles.name}>
          <bdi>{name}</bdi>
        </div>
        <ul className={styles.facts} aria-label={`Details of ${name}`}>
          <li>{nameOfScope(scope)}</li>
          {reach && (
            <li data-warning={reach.isWarning || undefined}>
              <bdi>{reach.text}</bdi>
            </li>
          )}
          <li title={formatMoment(createdAt)}>Created {formatDayWithYear(createdAt)}</li>
          {expiresAt && expiry && (
            <li title={formatMoment(expiresAt)} data-warning={expiry.isSoon || undefined}>
              {expiry.text}
            </li>
          )}
          <li title={lastUsedAt ? formatMoment(lastUsedAt) : undefined}>{describeUse(appPassword)}</li>
        </ul>
      </div>
      <BusyButton
        variant="default"
        size="xs"
        aria-label={`Revoke ${name}`}
        loading={revocation.isPending}
        onClick={() => void revoke()}
      >
        Revoke
      </BusyButton>
    </li>
  )
}
