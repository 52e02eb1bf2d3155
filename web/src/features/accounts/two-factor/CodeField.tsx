import { TextInput, type TextInputProps } from '@mantine/core'
import styles from './CodeField.module.css'

interface CodeFieldProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  readonly value: string
  readonly onChange: (code: string) => void
  /** Asks for a recovery code instead of the six digits of an app. */
  readonly isRecovery?: boolean
}

/** A field for the code of an authenticator app, or for a recovery code. Spaces and dashes are allowed. */
export function CodeField({ value, onChange, isRecovery = false, ...others }: CodeFieldProps) {
  return (
    <TextInput
      label={isRecovery ? 'Recovery code' : 'Code'}
      classNames={{ input: styles.code }}
      inputMode={isRecovery ? 'text' : 'numeric'}
      autoComplete={isRecovery ? 'off' : 'one-time-code'}
      autoCapitalize={isRecovery ? 'characters' : 'none'}
      spellCheck={false}
      maxLength={64}
      {...others}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
