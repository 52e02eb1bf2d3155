import { Button, Loader, Stack, Text, VisuallyHidden } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { Link, useNavigate } from 'react-router'
import { useLoaded } from '../../../lib/lazy-module.ts'
import { ArtPage } from '../../../ui/ArtPage.tsx'
import { ArmchairNiche } from '../../../ui/art/niches.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { notifySuccess } from '../../../ui/toasts/notify.tsx'
import { useFinishLogin } from '../sign-in/finish-login.ts'
import { LoginCodeForm } from '../sign-in/LoginCodeForm.tsx'
import { finishFlow, type Outcome } from './finish-flow.ts'
import { LinkAccountForm } from './LinkAccountForm.tsx'

interface SignInCallbackProps {
  readonly provider: string
  /** The query with which the provider sent the browser here. */
  readonly query: string
}

/** Finishes what this tab started at a provider: a sign-in, a link to the account, or a confirmation. */
export function SignInCallback({ provider, query }: SignInCallbackProps) {
  const outcome = useLoaded(
    () => finishFlow(provider, query),
    () => undefined,
  )
  const finishLogin = useFinishLogin()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const goOn = useEffectEvent(({ step, ...rest }: Outcome) => {
    if (step === 'signed in' && 'signedIn' in rest) finishLogin(rest.signedIn)
    if (step === 'linked' && 'message' in rest) {
      void queryClient.invalidateQueries({ queryKey: ['accounts'] })
      void navigate('/account#security', { replace: true })
      notifySuccess(rest.message)
    }
  })
  useEffect(() => {
    // The code in the address works once, and doesn't belong into the history.
    window.history.replaceState(window.history.state, '', window.location.pathname)
    if (outcome) goOn(outcome)
  }, [outcome])

  switch (outcome?.step) {
    case 'code':
      return (
        <Page title="Welcome back">
          <LoginCodeForm
            challenge={outcome.challenge}
            ticket={outcome.ticket}
            onBack={() => void navigate('/login?here')}
          />
        </Page>
      )
    case 'link':
      return (
        <Page title="You have an account here" lead="Sign in to it once. After that, the provider signs you in.">
          <LinkAccountForm email={outcome.email} ticket={outcome.ticket} />
        </Page>
      )
    case 'confirmed':
      return (
        <Page title="It’s you">
          <Text>You have confirmed your identity. Close this window and continue in the other one.</Text>
        </Page>
      )
    case 'failed':
      return (
        <Page title="That didn’t work">
          <Stack gap={16}>
            <Notice tone="error" text={outcome.text} />
            <Button component={Link} to={outcome.isSignedIn ? '/account' : '/login?here'} size="md">
              {outcome.isSignedIn ? 'Back to your account' : 'Back to the sign-in page'}
            </Button>
          </Stack>
        </Page>
      )
    default:
      return (
        <Page title="Signing in">
          <Loader aria-hidden />
          <VisuallyHidden role="status">Signing in…</VisuallyHidden>
        </Page>
      )
  }
}

interface PageProps {
  readonly title: string
  readonly lead?: string
  readonly children: ReactNode
}

function Page({ title, lead, children }: PageProps) {
  return (
    <ArtPage title={title} lead={lead} art={<ArmchairNiche />}>
      {children}
    </ArtPage>
  )
}
