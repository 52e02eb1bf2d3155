import { INVALID_EMAIL, isEmail } from '@alcove/contract/credentials'
import { TextInput, type TextInputProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'

interface EmailFieldProps extends Omit<TextInputProps, 'value' | 'onChange' | 'onBlur' | 'error' | 'type'> {
  readonly value: string
  readonly onChange: (email: string) => void
}

/** The pause in typing after which an incomplete address counts as wrong, in milliseconds. */
const PAUSE = 700

/** A field for an email address: lower-cased while typing, validated when the field loses focus or typing pauses. */
export function EmailField({ value, onChange, ...others }: EmailFieldProps) {
  const [isLeft, setIsLeft] = useState(false)
  const [paused] = useDebouncedValue(value, PAUSE)
  const isChecked = isLeft || (value !== '' && paused === value)
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
      error={isChecked && !isEmail(value) && INVALID_EMAIL}
    />
  )
}
