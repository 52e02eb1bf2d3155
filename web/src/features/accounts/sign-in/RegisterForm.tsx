import { register as registerCall } from '@alcove/contract/accounts'
import { REDIRECT_AFTER_REGISTER } from '@alcove/contract/limits'
import { Anchor, Checkbox, Stack, VisuallyHidden } from '@mantine/core'
import { type SubmitEvent, useState } from 'react'
import { ApiError } from '../../../api/api.ts'
import { updateSession } from '../../../api/session.ts'
import { useCall } from '../../../api/use-call.ts'
import { useRedirectLater } from '../../../lib/use-redirect-later.ts'
import { BusyButton } from '../../../ui/BusyButton.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { ProviderSignIn } from '../single-sign-on/ProviderSignIn.tsx'
import { EmailField } from './EmailField.tsx'
import { ConfirmPasswordField, NewPasswordField } from './NewPasswordFields.tsx'
import { findRegisterProblem } from './register-problem.ts'

/** Creates an account, which the user then activates by email. */
export function RegisterForm() {
  const register = useCall(registerCall)
  const redirectLater = useRedirectLater()
  const [problem, setProblem] = useState<string>()
  const [fields, setFields] = useState({
    email: '',
    password: '',
    confirmation: '',
    agreesToTerms: false,
    agreesToPrivacy: false,
  })
  const change = (changes: Partial<typeof fields>) => setFields((current) => ({ ...current, ...changes }))

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (register.isPending || register.isSuccess) return
    const found = findRegisterProblem(fields)
    setProblem(found)
    if (found) return
    const { email, password } = fields
    register.mutate(
      { email, password },
      {
        onSuccess: ({ proof }) => {
          updateSession({ proof })
          redirectLater('/login', REDIRECT_AFTER_REGISTER, { registered: email })
        },
        onError: (error) => setProblem((error instanceof ApiError && error.text) || 'Registration failed'),
      },
    )
  }

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap={20}>
        {problem && <Notice tone="error" text={problem} />}
        <EmailField value={fields.email} onChange={(email) => change({ email })} />
        <NewPasswordField label="Password" value={fields.password} onChange={(password) => change({ password })} />
        <ConfirmPasswordField
          password={fields.password}
          value={fields.confirmation}
          onChange={(confirmation) => change({ confirmation })}
        />
        <Stack gap={10}>
          <AgreementBox
            document="Terms of Service"
            path="/terms-of-service"
            checked={fields.agreesToTerms}
            onChange={(agreesToTerms) => change({ agreesToTerms })}
          />
          <AgreementBox
            document="Privacy Policy"
            path="/privacy-policy"
            checked={fields.agreesToPrivacy}
            onChange={(agreesToPrivacy) => change({ agreesToPrivacy })}
          />
        </Stack>
        <BusyButton
          type="submit"
          size="lg"
          fullWidth
          loading={register.isPending}
          disabled={register.isSuccess || findRegisterProblem(fields) !== undefined}
        >
          Register
        </BusyButton>
        {register.isSuccess && <Notice tone="success" text="Registration successful, navigating to Login page" />}
        <ProviderSignIn isRegistering />
      </Stack>
    </form>
  )
}

interface AgreementBoxProps {
  readonly document: string
  readonly path: string
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
}

/** Consent to a legal page, which opens in a new tab so that the form is not lost. */
function AgreementBox({ document, path, checked, onChange }: AgreementBoxProps) {
  return (
    <Checkbox
      checked={checked}
      onChange={(event) => onChange(event.currentTarget.checked)}
      label={
        <>
          I agree to the{' '}
          <Anchor href={path} target="_blank" rel="noopener" underline="always" inherit>
            {document}
            <VisuallyHidden component="span"> (opens in a new tab)</VisuallyHidden>
          </Anchor>
        </>
      }
    />
  )
}
