import type { OutputOf } from '@alcove/contract/call'
import type { getSignInOptions } from '@alcove/contract/single-sign-on'
import { Anchor, Loader, Stack, Text, VisuallyHidden } from '@mantine/core'
import { useEffect, useEffectEvent } from 'react'
import { Link } from 'react-router'
import { useAction } from '../../../api/use-call.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { failureText } from '../failure-text.ts'
import { goToProvider } from './go-to-provider.ts'
import { ProviderButtons } from './ProviderButtons.tsx'

interface ProviderScreenProps {
  readonly options: OutputOf<typeof getSignInOptions>
  readonly isRegistering: boolean
}

/** The sign-in page where users sign in only through providers. */
export function ProviderScreen({ options: { providers, straightTo }, isRegistering }: ProviderScreenProps) {
  const leave = useAction((name: string) => goToProvider(name, 'sign in'))
  const goStraight = useEffectEvent(() => straightTo !== null && leave.mutate(straightTo))
  useEffect(() => void goStraight(), [])
  if (straightTo !== null && !leave.isError) {
    const label = providers.find(({ name }) => name === straightTo)?.label
    return (
      <Stack gap={16}>
        <Loader aria-hidden />
        <VisuallyHidden role="status">Opening {label}…</VisuallyHidden>
        <PasswordLink />
      </Stack>
    )
  }
  return (
    <Stack gap={16}>
      {leave.isError && (
        <Notice tone="error" text={failureText(leave.error, 'Couldn’t start the sign-in. Try again.')} />
      )}
      <ProviderButtons providers={providers} isAlone isRegistering={isRegistering} />
      <PasswordLink />
    </Stack>
  )
}

function PasswordLink() {
  return (
    <Text size="sm">
      <Anchor component={Link} to="/login?here" replace inherit>
        Sign in with a password
      </Anchor>
    </Text>
  )
}
