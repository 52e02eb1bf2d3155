import { INVALID_EMAIL, isEmail } from '@alcove/contract/fields'
import { TextInput, type TextInputProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'

interface EmailFieldProps extends Omit<TextInputProps, 'value' | 'onChange' | 'onBlur' | 'error' | 'type'> {
  readonly value: string
  readonly onChange: (email: string) => void
}

/** How long a pause in typing must be before an unfinished address counts as a wrong one. */
const PAUSE = 700

/** An e-mail address: lower-cased as typed, and told to be wrong once the field is left or the typing pauses. */
export function EmailField({ value, onChange, ...others }: EmailFieldProps) {
  const [isLeft, setIsLeft] = useState(false)
  const [paused] = useDebouncedValue(value, PAUSE)
  const isJudged = isLeft || (value !== '' && paused === value)
  return (
    <TextInput
      label="Email"
      autoComplete="email"
      autoCapitalize="none"
      spellCheck={false}
      {...others}
      type="email"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value.toLowerCase())}
      onBlur={() => setIsLeft(true)}
      error={isJudged && !isEmail(value) && INVALID_EMAIL}
    />
  )
}
