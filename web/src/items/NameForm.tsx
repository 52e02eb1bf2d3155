import { Button, Group, TextInput } from '@mantine/core'
import { type FormEvent, useRef, useState } from 'react'
import { sentenceOf } from '../api/api.ts'
import { BusyButton } from '../ui/BusyButton.tsx'
import { FieldNote } from '../ui/FieldNote.tsx'

/** The name that was entered, or why it is not allowed. */
export interface CheckedName {
  readonly name: string
  readonly problem?: string | undefined
}

interface NameFormProps {
  readonly label: string
  readonly verb: string
  readonly initialName?: string
  readonly placeholder?: string
  readonly maxLength?: number
  readonly isFocused?: boolean
  readonly check: (typed: string) => CheckedName
  /** Returns a warning about a name that is allowed. */
  readonly noteOn?: (typed: string) => string | undefined
  /** Shown if the server's response has no message. */
  readonly failure?: string
  readonly isBusy: boolean
  readonly onSubmit: (name: string) => Promise<unknown>
  readonly onClose: () => void
}

/** A dialog's form with one name. An empty or unchanged name just closes it. Errors are shown below the field. */
export function NameForm(props: NameFormProps) {
  const { label, verb, initialName = '', placeholder, maxLength, isFocused = true, isBusy, onSubmit, onClose } = props
  const [typed, setTyped] = useState(initialName)
  const [problem, setProblem] = useState<string>()
  const isSent = useRef(false)

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (isSent.current) return // a double click
    const { name, problem: found } = props.check(typed)
    if (found !== undefined) return setProblem(found)
    if (name === '' || name === initialName) return onClose()
    isSent.current = true
    try {
      await onSubmit(name)
      onClose()
    } catch (error) {
      isSent.current = false
      setProblem(sentenceOf(error) ?? props.failure)
    }
  }

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <TextInput
        label={label}
        placeholder={placeholder}
        value={typed}
        error={problem}
        maxLength={maxLength}
        dir="auto"
        autoComplete="off"
        data-autofocus={isFocused || undefined}
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          setProblem(undefined)
        }}
      />
      {props.noteOn && <FieldNote text={problem === undefined ? props.noteOn(typed) : undefined} />}
      <Group justify="flex-end" gap="xs" mt="lg">
        <Button variant="subtle" onClick={onClose}>
          Cancel
        </Button>
        <BusyButton type="submit" loading={isBusy}>
          {verb}
        </BusyButton>
      </Group>
    </form>
  )
}
