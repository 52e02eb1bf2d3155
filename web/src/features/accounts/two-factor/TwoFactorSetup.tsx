import { Button, Skeleton, Stack, Text, VisuallyHidden } from '@mantine/core'
import { Link } from 'react-router'
import { lazyModule } from '../../../lib/lazy-module.ts'
import { openLater } from '../../../ui/dialogs/dialogs.tsx'
import { LoadError } from '../../../ui/LoadError.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { useTwoFactor } from '../queries.ts'

const turnOnModal = lazyModule(() => import('./TurnOnTwoFactorModal.tsx'))
const turnOn = () => void openLater(turnOnModal, (module) => module.openTurnOnTwoFactorModal())

/** Leads through the setup, then into the account. */
export function TwoFactorSetup() {
  const { data, isError, isFetching, refetch } = useTwoFactor()
  if (!data) {
    if (isError)
      return (
        <LoadError text="Couldn’t load your two-factor status." isBusy={isFetching} onRetry={() => void refetch()} />
      )
    return (
      <>
        <VisuallyHidden role="status">Loading...</VisuallyHidden>
        <Skeleton height={120} radius={16} />
      </>
    )
  }
  if (data.isEnabled) {
    return (
      <Stack align="start" gap={20}>
        <Notice tone="success" text="Two-factor sign-in is on." />
        <Button component={Link} to="/profile" size="md" replace>
          Continue to your files
        </Button>
      </Stack>
    )
  }
  return (
    <Stack align="start" gap={20}>
      <Text>
        Signing in then also needs a code from an app on your phone, so a stolen password is not enough. You need your
        phone and two minutes.
      </Text>
      <Button size="md" onClick={turnOn}>
        Set it up
      </Button>
    </Stack>
  )
}
