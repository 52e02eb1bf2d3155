import { Anchor, Button, Stack, Text } from '@mantine/core'
import { Link, useSearchParams } from 'react-router'
import { RegisterForm } from '../features/accounts/sign-in/RegisterForm.tsx'
import { OnlyProviders } from '../features/accounts/single-sign-on/OnlyProviders.tsx'
import { canRegister, describeRegistration, signUpMode } from '../lib/sign-up.ts'
import { freeStorage, hasPlans, supportEmail } from '../lib/site.ts'
import { useIsHydrated } from '../lib/use-is-hydrated.ts'
import { ArtPage } from '../ui/ArtPage.tsx'
import { BooksNiche } from '../ui/art/niches.tsx'

export function RegisterPage() {
  const signUp = signUpMode()
  const [parameters] = useSearchParams()
  // The mail of somebody who shares a folder leads here. The server checks the address.
  const isInvitedToFolder = useIsHydrated() && parameters.has('folder')
  if (!canRegister() && !isInvitedToFolder) return <ClosedPage />
  const storage = `${freeStorage}, free. An email address is all we collect.`
  const limit = signUp === 'domain' && !isInvitedToFolder ? describeRegistration() : undefined
  return (
    <ArtPage
      title="Make your room"
      lead={limit ?? (hasPlans() ? storage : 'An email address is all we collect.')}
      art={<BooksNiche />}
    >
      <OnlyProviders isRegistering>
        <RegisterForm />
      </OnlyProviders>
    </ArtPage>
  )
}

/** Says why visitors can't register here, and what they can do. */
function ClosedPage() {
  const signUp = signUpMode()
  return (
    <ArtPage title="Make your room" lead={describeRegistration()} art={<BooksNiche />}>
      <Stack align="start" gap={20}>
        <Text>
          {signUp === 'invite'
            ? 'If you have an invitation, open the link in its email. If you don’t, ask the administrator for one: '
            : 'Only the administrator adds people to this server. To ask for an account, write to '}
          <Anchor href={`mailto:${supportEmail}`} inherit>
            {supportEmail}
          </Anchor>
        </Text>
        <Button component={Link} to="/login" size="md">
          Sign In
        </Button>
      </Stack>
    </ArtPage>
  )
}
