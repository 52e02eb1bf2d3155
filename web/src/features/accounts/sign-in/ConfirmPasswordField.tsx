import { PasswordInput } from '@mantine/core'
import { RuleLine } from './RuleLine.tsx'

interface ConfirmPasswordFieldProps {
  readonly password: string
  readonly value: string
  readonly onChange: (confirmation: string) => void
}

/** The chosen password once more, with word of whether both are the same. */
export function ConfirmPasswordField({ password, value, onChange }: ConfirmPasswordFieldProps) {
  const isMatch = value === password
  return (
    <PasswordInput
      label="Confirm Password"
      autoComplete="new-password"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      description={
        <span aria-live="polite">
          {value !== '' && <RuleLine text={isMatch ? 'Passwords match' : 'Passwords do not match'} isMet={isMatch} />}
        </span>
      }
    />
  )
}
