import { type AdminProvider, changeSignInSettings, type SignInState } from '@alcove/contract/admin-sign-in'
import type { InputOf } from '@alcove/contract/call'
import { Button, Checkbox, NativeSelect, Stack } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useRef } from 'react'
import { send } from '../../../api/api.ts'
import { useSetting } from '../../../api/use-setting.ts'
import { useFocusFallback } from '../../../lib/use-focus-fallback.ts'
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

/** A setting of this page, and the function that changes it. `toChange` returns what to send. */
function useSignInSetting<Value>(
  stored: Value,
  toChange: (value: Value) => InputOf<typeof changeSignInSettings>,
  describe?: (value: Value) => string,
) {
  return useSetting(stored, {
    queryKey: adminKeys.signIn,
    save: (value) => send(changeSignInSettings, toChange(value)),
    update: (_state: SignInState, saved) => saved,
    onSaved: (_saved, value) => describe && notifySuccess(describe(value)),
    onFailed: (sentence) => notifyError(sentence ?? 'Couldn’t change this. Try again.'),
  })
}

function Providers({ state: { providers, signOutUri } }: SignInPart) {
  const [order, reorder] = useSignInSetting(
    providers.map(({ name }) => name),
    (names) => ({ order: names }),
  )
  const shown = order.flatMap((name) => providers.find((provider) => provider.name === name) ?? [])
  const addButton = useRef<HTMLButtonElement>(null)
  useFocusFallback(addButton, shown.map(({ name }) => name).join(' '))
  const move = (moved: AdminProvider, by: number) => {
    const others = shown.filter((one) => one !== moved)
    reorder(others.toSpliced(shown.indexOf(moved) + by, 0, moved).map(({ name }) => name))
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
            {shown.map((provider, index) => (
              <ProviderRow
                key={provider.name}
                provider={provider}
                signOutUri={signOutUri}
                isFirst={index === 0}
                isLast={index === shown.length - 1}
                onMove={(by) => move(provider, by)}
              />
            ))}
          </StateList>
        </div>
      )}
      <div className={styles.foot}>
        <Button
          ref={addButton}
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
  const [arePasswordsOn, allowPasswords] = useSignInSetting(
    hasPasswords,
    (isOn) => ({ hasPasswords: isOn }),
    (isOn) => (isOn ? 'Passwords are on.' : 'Passwords are off, except for administrators.'),
  )
  const [target, lead] = useSignInSetting(
    straightTo,
    (name) => ({ straightTo: name }),
    () => 'Saved.',
  )
  return (
    <Card title="Sign-in page">
      <Stack gap={16}>
        <Checkbox
          label="Users may sign in with passwords and passkeys"
          description="Administrators always can, at /login?here. App passwords keep working."
          checked={arePasswordsOn}
          onChange={({ currentTarget: { checked } }) => allowPasswords(checked)}
        />
        <NativeSelect
          label="What the page does"
          description="Whoever adds ?here to its address sees all ways to sign in."
          value={target ?? ALL_WAYS}
          data={[
            { value: ALL_WAYS, label: 'Shows all ways to sign in' },
            ...providers.map(({ name, label }) => ({ value: name, label: `Leads straight to ${label}` })),
          ]}
          onChange={({ currentTarget: { value } }) => lead(value || null)}
        />
      </Stack>
    </Card>
  )
}
