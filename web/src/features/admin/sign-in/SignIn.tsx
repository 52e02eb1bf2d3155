import { changeSignInSettings, type SignInState } from '@alcove/contract/admin-sign-in'
import type { InputOf } from '@alcove/contract/call'
import { Button, Checkbox, NativeSelect, Stack } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { CallCancelled, sentenceOf } from '../../../api/api.ts'
import { useCall } from '../../../api/use-call.ts'
import { usePendingValue } from '../../../api/use-pending-value.ts'
import { Card, CardHeadingLevel } from '../../../ui/Card.tsx'
import { notifyError, notifySuccess } from '../../../ui/toasts/notify.tsx'
import { QueryContent } from '../parts/QueryContent.tsx'
import { StateList } from '../parts/StateList.tsx'
import styles from '../parts/sections.module.css'
import { adminKeys, useSignInSettings } from '../queries.ts'
import { openProviderModal } from './ProviderForm.tsx'
import { ProviderRow } from './ProviderRow.tsx'

/** How people sign in: with passwords, and through which providers. */
export function SignIn() {
  return (
    <QueryContent query={useSignInSettings()} failure="Unable to load the sign-in settings.">
      {(state) => (
        <CardHeadingLevel value={3}>
          <Stack gap={16}>
            <Providers state={state} />
            <SignInPage state={state} />
          </Stack>
        </CardHeadingLevel>
      )}
    </QueryContent>
  )
}

interface SignInPart {
  readonly state: SignInState
}

type Changes = InputOf<typeof changeSignInSettings>

/** Returns the function that changes settings and shows the result, and the change that is in progress. */
function useChange() {
  const queryClient = useQueryClient()
  const { mutateAsync } = useCall(changeSignInSettings)
  const [pending, showPending] = usePendingValue<Changes | undefined>(undefined)
  async function change(changes: Changes, done?: string) {
    try {
      queryClient.setQueryData(adminKeys.signIn, await mutateAsync(changes))
      if (done) notifySuccess(done)
    } catch (error) {
      if (!(error instanceof CallCancelled)) notifyError(sentenceOf(error) ?? 'Couldn’t change this. Try again.')
    }
  }
  function save(changes: Changes, done?: string) {
    if (!pending) showPending(changes, change(changes, done))
  }
  return { save, pending }
}

function Providers({ state: { providers, signOutUri } }: SignInPart) {
  const { save } = useChange()
  const move = (name: string, by: number) => {
    const order = providers.map((provider) => provider.name).filter((other) => other !== name)
    order.splice(providers.findIndex((provider) => provider.name === name) + by, 0, name)
    save({ order })
  }
  return (
    <Card title="Providers">
      <p className={styles.lead}>
        People sign in with the account that they have at an OpenID Connect provider, such as Keycloak, Authelia, Google
        or Microsoft.
      </p>
      {providers.length > 0 && (
        <div className={styles.bar}>
          <StateList label="Providers">
            {providers.map((provider, index) => (
              <ProviderRow
                key={provider.name}
                provider={provider}
                signOutUri={signOutUri}
                onUp={index > 0 ? () => move(provider.name, -1) : undefined}
                onDown={index < providers.length - 1 ? () => move(provider.name, 1) : undefined}
              />
            ))}
          </StateList>
        </div>
      )}
      <div className={styles.foot}>
        <Button
          variant="default"
          leftSection={<IconPlus size={18} stroke={1.75} aria-hidden />}
          onClick={() => openProviderModal({ signOutUri })}
        >
          Add a provider
        </Button>
      </div>
    </Card>
  )
}

const ALL_WAYS = ''

function SignInPage({ state: { providers, hasPasswords, straightTo } }: SignInPart) {
  const { save, pending } = useChange()
  return (
    <Card title="Sign-in page">
      <Stack gap={16}>
        <Checkbox
          label="Users may sign in with passwords and passkeys"
          description="Administrators always can, at /login?here. App passwords keep working."
          checked={pending?.hasPasswords ?? hasPasswords}
          onChange={({ currentTarget: { checked } }) =>
            save(
              { hasPasswords: checked },
              checked ? 'Passwords are on.' : 'Passwords are off, except for administrators.',
            )
          }
        />
        <NativeSelect
          label="What the page does"
          description="Whoever adds ?here to its address sees all ways to sign in."
          value={(pending?.straightTo !== undefined ? pending.straightTo : straightTo) ?? ALL_WAYS}
          data={[
            { value: ALL_WAYS, label: 'Shows all ways to sign in' },
            ...providers.map(({ name, label }) => ({ value: name, label: `Leads straight to ${label}` })),
          ]}
          onChange={({ currentTarget: { value } }) => save({ straightTo: value || null }, 'Saved.')}
        />
      </Stack>
    </Card>
  )
}
