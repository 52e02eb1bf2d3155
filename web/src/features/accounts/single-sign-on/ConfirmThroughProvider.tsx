import { Button, Loader, Stack, VisuallyHidden } from '@mantine/core'
import { type SubmitEvent, useEffect, useEffectEvent, useState } from 'react'
import { ApiError } from '../../../api/api.ts'
import { useAction } from '../../../api/use-call.ts'
import { ArtPage } from '../../../ui/ArtPage.tsx'
import { PadlockNiche } from '../../../ui/art/niches.tsx'
import { BusyButton } from '../../../ui/BusyButton.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { failureText } from '../failure-text.ts'
import { CodeField } from '../two-factor/CodeField.tsx'
import { goToProvider } from './go-to-provider.ts'

/** Sends the user to a provider to confirm the session. Asks for a code first if two-factor sign-in is on. */
export function ConfirmThroughProvider({ provider }: { readonly provider: string }) {
  const [code, setCode] = useState('')
  const leave = useAction((given: string | undefined) => goToProvider(provider, 'confirm', given))
  const start = useEffectEvent(() => leave.mutate(undefined))
  useEffect(() => start(), [])
  const asksCode = leave.error instanceof ApiError && leave.error.body?.code === 'wrong_code'

  function submit(event: SubmitEvent) {
    event.preventDefault()
    leave.mutate(code.trim())
  }

  return (
    <ArtPage title="Confirm it’s you" art={<PadlockNiche />}>
      {leave.isPending || leave.isIdle ? (
        <>
          <Loader aria-hidden />
          <VisuallyHidden role="status">Opening the provider…</VisuallyHidden>
        </>
      ) : asksCode ? (
        <form onSubmit={submit} noValidate>
          <Stack gap={16}>
            {leave.variables !== undefined && (
              <Notice tone="error" text={failureText(leave.error, 'This code is incorrect.')} />
            )}
            <CodeField
              description="From your authenticator app, or a recovery code"
              inputMode="text"
              autoFocus
              value={code}
              onChange={setCode}
            />
            <BusyButton type="submit" size="lg" fullWidth disabled={code.trim() === ''}>
              Continue
            </BusyButton>
          </Stack>
        </form>
      ) : (
        <Stack gap={16}>
          <Notice tone="error" text={failureText(leave.error, 'Couldn’t open the provider.')} />
          <Button size="md" onClick={() => leave.mutate(undefined)}>
            Try again
          </Button>
        </Stack>
      )}
    </ArtPage>
  )
}
