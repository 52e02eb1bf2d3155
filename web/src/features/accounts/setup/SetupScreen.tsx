import { checkSetup, claimSetup, setUp } from '@alcove/contract/setup'
import { Anchor, Button, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, type SubmitEvent, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { ApiError, send } from '../../../api/api.ts'
import { updateSession, useSession } from '../../../api/session.ts'
import { useCall } from '../../../api/use-call.ts'
import { siteName } from '../../../lib/site.ts'
import { ArtPage } from '../../../ui/ArtPage.tsx'
import { PadlockNiche } from '../../../ui/art/niches.tsx'
import { BusyButton } from '../../../ui/BusyButton.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { CheckingLink } from '../CheckingLink.tsx'
import { failureText } from '../failure-text.ts'
import { EmailField } from '../sign-in/EmailField.tsx'
import { useFinishLogin } from '../sign-in/finish-login.ts'
import { ConfirmPasswordField, NewPasswordField } from '../sign-in/NewPasswordFields.tsx'

interface SetupScreenProps {
  /** From the one-time address that the server has printed. */
  readonly token: string
  /** The address itself, to come back to after signing in. */
  readonly address: string
}

const ADMIN = '/admin'

/** Makes the visitor the first administrator, with a new account or with the one that is signed in. */
export function SetupScreen({ token, address }: SetupScreenProps) {
  const { email } = useSession()
  const check = useQuery({
    queryKey: ['setup', token],
    queryFn: ({ signal }) => send(checkSetup, { token }, { signal }),
    retry: (count, error) => !isOver(error) && count < 2,
    staleTime: 0,
  })
  if (isOver(check.error)) {
    return (
      <Page title="This address no longer works" lead="It works once, until there is an administrator.">
        <Text>
          An administrator can make you one too, under Admin. On the server, so can this command:{' '}
          <code>npx alcove user set-role EMAIL admin</code>
        </Text>
        <Button component={Link} to="/login" size="md">
          Sign In
        </Button>
      </Page>
    )
  }
  if (!check.data) {
    return (
      <Page title={`Set up ${siteName}`}>
        <CheckingLink query={check} failure="Couldn’t check this address." />
      </Page>
    )
  }
  return email ? <ClaimPage token={token} email={email} /> : <CreatePage token={token} address={address} />
}

function isOver(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 400)
}

function CreatePage({ token, address }: SetupScreenProps) {
  const create = useCall(setUp)
  const finish = useFinishLogin()
  const [fields, setFields] = useState({ email: '', password: '', confirmation: '' })
  const change = (changes: Partial<typeof fields>) => setFields((current) => ({ ...current, ...changes }))

  function submit(event: SubmitEvent) {
    event.preventDefault()
    const { email, password } = fields
    if (fields.confirmation !== password) return
    updateSession({ target: ADMIN, pendingPlan: undefined })
    create.mutate({ token, email, password }, { onSuccess: finish })
  }

  return (
    <Page title={`Set up ${siteName}`} lead="This account can manage users, plans and the server.">
      <form onSubmit={submit} noValidate>
        <Stack gap={20}>
          {create.isError && (
            <Notice tone="error" text={failureText(create.error, 'Couldn’t create the account. Try again.')} />
          )}
          <EmailField value={fields.email} onChange={(email) => change({ email })} />
          <NewPasswordField label="Password" value={fields.password} onChange={(password) => change({ password })} />
          <ConfirmPasswordField
            password={fields.password}
            value={fields.confirmation}
            onChange={(confirmation) => change({ confirmation })}
          />
          <BusyButton
            type="submit"
            size="lg"
            fullWidth
            loading={create.isPending || create.isSuccess}
            disabled={fields.email === '' || fields.password === '' || fields.confirmation !== fields.password}
          >
            Create the administrator
          </BusyButton>
          <Text>
            Do you have an account already?{' '}
            <Anchor component={Link} to="/login" onClick={() => updateSession({ target: address })}>
              Sign in
            </Anchor>
          </Text>
        </Stack>
      </form>
    </Page>
  )
}

function ClaimPage({ token, email }: { readonly token: string; readonly email: string }) {
  const claim = useCall(claimSetup)
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const become = () =>
    claim.mutate(
      { token },
      {
        onSuccess: () => {
          queryClient.clear()
          void navigate(ADMIN, { replace: true })
        },
      },
    )
  return (
    <Page title="Become the administrator?" lead="Administrators manage users, plans and the server.">
      {claim.isError && <Notice tone="error" text={failureText(claim.error, 'Couldn’t do that. Try again.')} />}
      <Text>
        You are signed in as <strong>{email}</strong>.
      </Text>
      <BusyButton size="lg" loading={claim.isPending || claim.isSuccess} onClick={become}>
        Become the administrator
      </BusyButton>
    </Page>
  )
}

interface PageProps {
  readonly title: string
  readonly lead?: string
  readonly children: ReactNode
}

function Page({ title, lead, children }: PageProps) {
  return (
    <ArtPage title={title} lead={lead} art={<PadlockNiche />}>
      <Stack align="stretch" gap={20}>
        {children}
      </Stack>
    </ArtPage>
  )
}
