import { type Identity, type SignInProvider, unlinkIdentity } from '@alcove/contract/single-sign-on'
import { Button, Group } from '@mantine/core'
import { IconLogin2, IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { useAction, useCall } from '../../../api/use-call.ts'
import { formatDay, formatMoment } from '../../../lib/format.ts'
import { confirm } from '../../../ui/dialogs/dialogs.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { notifyError, notifySuccess } from '../../../ui/toasts/notify.tsx'
import styles from '../AccountCards.module.css'
import { failureText } from '../failure-text.ts'
import { QueryCard } from '../QueryCard.tsx'
import { goToProvider } from './go-to-provider.ts'
import { signInMethodsKey, useSignInMethods } from './queries.ts'

/** Lists the providers that sign the user in, and links others. Nothing is shown where there are none. */
export function LinkedProvidersCard() {
  const query = useSignInMethods()
  const list = useRef<HTMLUListElement>(null)
  if (!query.data || query.data.providers.length + query.data.identities.length === 0) return null
  return (
    <QueryCard title="Sign-in providers" query={query} failure="Couldn’t load your sign-in providers.">
      {({ identities, providers }) => (
        <div className={styles.body}>
          {identities.length === 0 ? (
            <p className={styles.text}>Sign in with an account that you have elsewhere, instead of the password.</p>
          ) : (
            <ul ref={list} className={styles.rows} tabIndex={-1} aria-label="Your sign-in providers">
              {identities.map((identity) => (
                <IdentityRow key={identity.id} identity={identity} onRemoved={() => list.current?.focus()} />
              ))}
            </ul>
          )}
          <Group gap="xs">
            {providers
              .filter(({ name }) => !identities.some((identity) => identity.name === name))
              .map((provider) => (
                <LinkButton key={provider.name} provider={provider} />
              ))}
          </Group>
        </div>
      )}
    </QueryCard>
  )
}

function LinkButton({ provider: { name, label } }: { readonly provider: SignInProvider }) {
  const link = useAction(() => goToProvider(name, 'link'))
  return (
    <Button
      variant="default"
      leftSection={<IconLogin2 size={18} stroke={1.75} />}
      loading={link.isPending}
      onClick={() =>
        link.mutate(undefined, { onError: (error) => notifyError(failureText(error, 'Couldn’t open the provider.')) })
      }
    >
      Link {label}
    </Button>
  )
}

interface IdentityRowProps {
  readonly identity: Identity
  readonly onRemoved: () => void
}

function IdentityRow({ identity, onRemoved }: IdentityRowProps) {
  const { id, provider, email, createdAt, lastUsedAt } = identity
  const removal = useCall(unlinkIdentity)
  const queryClient = useQueryClient()

  async function remove() {
    const isConfirmed = await confirm({
      question: `Remove the link to ${provider}?`,
      detail: 'You can no longer sign in through it.',
      verb: 'Remove',
    })
    if (!isConfirmed) return
    removal.mutate(
      { id },
      {
        onSuccess: ({ message }) => {
          onRemoved()
          notifySuccess(message)
        },
        onError: (error) => notifyError(failureText(error, 'Couldn’t remove the link.')),
        onSettled: () => void queryClient.invalidateQueries({ queryKey: signInMethodsKey }),
      },
    )
  }

  return (
    <li className={styles.row}>
      <span className={styles.plate} aria-hidden>
        <IconLogin2 size={18} stroke={1.75} />
      </span>
      <div className={styles.what}>
        <div className={styles.name} dir="auto">
          {provider}
        </div>
        <div className={styles.meta}>
          {email && <span dir="auto">{email} · </span>}
          {lastUsedAt ? (
            <span title={formatMoment(lastUsedAt)}>last used {formatDay(lastUsedAt)}</span>
          ) : (
            <span title={formatMoment(createdAt)}>linked {formatDay(createdAt)}</span>
          )}
        </div>
      </div>
      <div className={styles.rowActions}>
        <IconButton label={`Remove the link to ${provider}`} loading={removal.isPending} onClick={() => void remove()}>
          <IconTrash size={18} stroke={1.75} />
        </IconButton>
      </div>
    </li>
  )
}
