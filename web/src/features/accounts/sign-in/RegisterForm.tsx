import { REDIRECT_AFTER_REGISTER } from '@alcove/contract/limits'
import { Button, Stack } from '@mantine/core'
import { type SubmitEvent, useState } from 'react'
import { ApiError } from '../../../api/api.ts'
import { updateSession } from '../../../api/session.ts'
import { useRedirectLater } from '../../../lib/use-redirect-later.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { useRegister } from '../queries.ts'
import { AgreementBox } from './AgreementBox.tsx'
import { ConfirmPasswordField } from './ConfirmPasswordField.tsx'
import { EmailField } from './EmailField.tsx'
import { NewPasswordField } from './NewPasswordField.tsx'
import { findRegisterProblem } from './register-problem.ts'

export function RegisterForm() {
  const register = useRegister()
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
  const isDone = register.isPending || register.isSuccess

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (isDone) return
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
        <Button
          type="submit"
          size="lg"
          fullWidth
          loading={register.isPending}
          disabled={register.isSuccess || findRegisterProblem(fields) !== undefined}
        >
          Register
        </Button>
        {register.isSuccess && <Notice tone="success" text="Registration successful, navigating to Login page" />}
      </Stack>
    </form>
  )
}
