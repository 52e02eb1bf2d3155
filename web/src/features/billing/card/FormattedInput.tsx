import { TextInput, type TextInputProps } from '@mantine/core'
import { type ChangeEvent, useLayoutEffect, useRef } from 'react'
import { digitsOf } from './card-fields.ts'

interface FormattedInputProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  readonly value: string
  readonly format: (text: string) => string
  readonly onChange: (value: string) => void
}

/** A field for digits that are formatted as they are typed, while the caret stays behind the digit it was behind. */
export function FormattedInput({ value, format, onChange, ...others }: FormattedInputProps) {
  const input = useRef<HTMLInputElement>(null)
  const digitsBefore = useRef<number>(undefined)

  function change({ currentTarget }: ChangeEvent<HTMLInputElement>) {
    const caret = currentTarget.selectionStart ?? currentTarget.value.length
    const formatted = format(currentTarget.value)
    // At the end it stays at the end, also behind what the format adds there.
    digitsBefore.current =
      caret === currentTarget.value.length ? undefined : digitsOf(currentTarget.value.slice(0, caret)).length
    onChange(formatted)
  }

  useLayoutEffect(() => {
    if (digitsBefore.current === undefined || document.activeElement !== input.current) return
    const caret = placeAfterDigits(value, digitsBefore.current)
    digitsBefore.current = undefined
    input.current?.setSelectionRange(caret, caret)
  }, [value])

  return <TextInput {...others} ref={input} inputMode="numeric" spellCheck={false} value={value} onChange={change} />
}

function placeAfterDigits(text: string, count: number): number {
  let place = 0
  for (let seen = 0; place < text.length && seen < count; place += 1) if (/\d/.test(text[place] ?? '')) seen += 1
  return place
}
