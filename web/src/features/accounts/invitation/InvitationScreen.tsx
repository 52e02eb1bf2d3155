import { acceptInvitationToServer, checkInvitation } from '@alcove/contract/invitations'
import { Anchor, Button, Checkbox, Stack, Text, TextInput, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, type SubmitEvent, useState } from 'react'
import { Link } from 'react-router'
import { ApiError, send } from '../../../api/api.ts'
import { updateSession, useSession } from '../../../api/session.ts'
import { useCall } from '../../../api/use-call.ts'
import { ArtPage } from '../../../ui/ArtPage.tsx'
import { BooksNiche } from '../../../ui/art/niches.tsx'
import { BusyButton } from '../../../ui/BusyButton.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { CheckingLink } from '../CheckingLink.tsx'
import { failureText } from '../failure-text.ts'
import { useFinishLogin } from '../sign-in/finish-login.ts'
import { ConfirmPasswordField, NewPasswordField } from '../sign-in/NewPasswordFields.tsx'
import { useSignOut } from '../sign-in/use-sign-out.ts'

/** Creates the account that an invitation is for. `token` comes from its link. */
export function InvitationScreen({ token }: { readonly token: string }) {
  const { email: signedInAs } = useSession()
  const check = useQuery({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => send(checkInvitation, { token }, { signal }),
    retry: (count, error) => !isOver(error) && count < 2,
    staleTime: 0,
  })
  if (isOver(check.error)) {
    return (
      <Page title="This invitation no longer works" lead="It was used, was taken back or has expired.">
        <Text>If you have an account already, sign in. If not, ask the administrator for a new invitation.</Text>
        <div>
          <Button component={Link} to="/login" size="md">
            Sign In
          </Button>
        </div>
      </Page>
    )
  }
  if (!check.data) {
    return (
      <Page title="Make your room">
        <CheckingLink query={check} failure="Couldn’t check this invitation." />
      </Page>
    )
  }
  return signedInAs ? (
    <SignedInPage signedInAs={signedInAs} email={check.data.email} />
  ) : (
    <AcceptPage token={token} email={check.data.email} />
  )
}

function isOver(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 400)
}

/** The browser belongs to somebody else, such as the administrator who tries the link. */
function SignedInPage({ signedInAs, email }: { readonly signedInAs: string; readonly email: string }) {
  const signOut = useSignOut()
  return (
    <Page title="You are signed in already" lead={`This invitation is for ${email}.`}>
      <Text>
        You are signed in as <strong>{signedInAs}</strong>. To use the invitation, sign out, then open its link again.
      </Text>
      <div>
        <Button variant="default" size="md" onClick={() => void signOut()}>
          Sign Out
        </Button>
      </div>
    </Page>
  )
}

function AcceptPage({ token, email }: { readonly token: string; readonly email: string }) {
  const accept = useCall(acceptInvitationToServer)
  const finish = useFinishLogin()
  const [fields, setFields] = useState({ password: '', confirmation: '', agrees: false })
  const change = (changes: Partial<typeof fields>) => setFields((current) => ({ ...current, ...changes }))
  const isIncomplete = fields.password === '' || fields.confirmation !== fields.password || !fields.agrees

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (isIncomplete) return
    updateSession({ target: undefined, pendingPlan: undefined })
    accept.mutate({ token, password: fields.password }, { onSuccess: finish })
  }

  return (
    <Page title="Make your room" lead="You are invited. Choose a password, and your account is ready.">
      <form onSubmit={submit} noValidate>
        <Stack gap={20}>
          {accept.isError && (
            <Notice tone="error" text={failureText(accept.error, 'Couldn’t create the account. Try again.')} />
          )}
          <TextInput label="Email" size="md" autoComplete="username" value={email} readOnly />
          <NewPasswordField label="Password" value={fields.password} onChange={(password) => change({ password })} />
          <ConfirmPasswordField
            password={fields.password}
            value={fields.confirmation}
            onChange={(confirmation) => change({ confirmation })}
          />
          <Checkbox
            checked={fields.agrees}
            onChange={(event) => change({ agrees: event.currentTarget.checked })}
            label={
              <>
                I agree to the <LegalLink path="/terms-of-service" name="Terms of Service" /> and the{' '}
                <LegalLink path="/privacy-policy" name="Privacy Policy" />
              </>
            }
          />
          <BusyButton
            type="submit"
            size="lg"
            fullWidth
            loading={accept.isPending || accept.isSuccess}
            disabled={isIncomplete}
          >
            Create your account
          </BusyButton>
        </Stack>
      </form>
    </Page>
  )
}

function LegalLink({ path, name }: { readonly path: string; readonly name: string }) {
  return (
    <Anchor href={path} target="_blank" rel="noopener" underline="always" inherit>
      {name}
      <VisuallyHidden component="span"> (opens in a new tab)</VisuallyHidden>
    </Anchor>
  )
}

interface PageProps {
  readonly title: string
  readonly lead?: string
  readonly children: ReactNode
}

function Page({ title, lead, children }: PageProps) {
  return (
    <ArtPage title={title} lead={lead} art={<BooksNiche />}>
      <Stack align="stretch" gap={20}>
        {children}
      </Stack>
    </ArtPage>
  )
}
