import { findNameProblem, normalizeName } from '@alcove/contract/names'
import { Button, Group, TextInput } from '@mantine/core'
import { type FormEvent, useRef, useState } from 'react'
import { sentenceOf } from '../../lib/sentence-of.ts'

interface NameFormProps {
  readonly label: string
  readonly verb: string
  readonly initialName?: string
  /** What is said about an empty name; without it an empty name just closes the form. */
  readonly emptyMessage?: string
  readonly isBusy: boolean
  readonly onSubmit: (name: string) => Promise<unknown>
  readonly onClose: () => void
}

/** A modal's form that asks for one name. A refusal of the server stands below the field. */
export function NameForm({ label, verb, initialName = '', emptyMessage, isBusy, onSubmit, onClose }: NameFormProps) {
  const [name, setName] = useState(initialName)
  const [problem, setProblem] = useState<string>()

  const isSent = useRef(false)

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (isSent.current) return // a double click
    const newName = normalizeName(name)
    const isNothing = newName === '' && emptyMessage === undefined
    if (isNothing || (newName === initialName && newName !== '')) return onClose()
    const found = findNameProblem(newName, emptyMessage ?? '')
    if (found) return setProblem(found)
    isSent.current = true
    try {
      await onSubmit(newName)
      onClose()
    } catch (error) {
      isSent.current = false
      setProblem(sentenceOf(error))
    }
  }

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <TextInput
        label={label}
        value={name}
        error={problem}
        dir="auto"
        autoComplete="off"
        data-autofocus
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => {
          setName(event.currentTarget.value)
          setProblem(undefined)
        }}
      />
      <Group justify="flex-end" gap="xs" mt="lg">
        <Button variant="subtle" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" loading={isBusy}>
          {verb}
        </Button>
      </Group>
    </form>
  )
}
