import { INVALID_EMAIL, isEmail } from '@alcove/contract/credentials'
import type { Group } from '@alcove/contract/groups'
import { MAX_GROUP_NAME_LENGTH } from '@alcove/contract/limits'
import { Button, Group as Line, Textarea, TextInput } from '@mantine/core'
import { type SubmitEvent, useState } from 'react'
import { sentenceOf } from '../../../../api/api.ts'
import { BusyButton } from '../../../../ui/BusyButton.tsx'
import styles from '../MembersModal.module.css'
import { useCreateGroup, useUpdateGroup } from './queries.ts'

interface GroupFormProps {
  /** Absent for a new one. */
  readonly group?: Group
  readonly onDone: () => void
}

/** Creates a group of people, or changes its name and its people. */
export function GroupForm({ group, onDone }: GroupFormProps) {
  const [name, setName] = useState(group?.name ?? '')
  const [people, setPeople] = useState(group?.emails.join('\n') ?? '')
  const [problem, setProblem] = useState<{ readonly field: 'name' | 'people'; readonly text: string }>()
  const create = useCreateGroup()
  const update = useUpdateGroup()

  function submit(event: SubmitEvent) {
    event.preventDefault()
    const emails = people.split(/[\s,;]+/).filter((text) => text !== '')
    const wrong = emails.find((text) => !isEmail(text))
    if (name.trim() === '') return setProblem({ field: 'name', text: 'Enter a name.' })
    if (wrong !== undefined) return setProblem({ field: 'people', text: `${INVALID_EMAIL}: ${wrong}` })
    const settled = {
      onSuccess: onDone,
      onError: (error: Error) =>
        setProblem({
          field: 'name' as const,
          text: sentenceOf(error) ?? 'Couldn’t save the group. Check your connection, then try again.',
        }),
    }
    if (group) update.mutate({ id: group.id, name, emails }, settled)
    else create.mutate({ name, emails }, settled)
  }

  return (
    <form className={styles.content} onSubmit={submit} noValidate>
      <TextInput
        label="Name of the group"
        data-autofocus
        autoFocus
        autoComplete="off"
        maxLength={MAX_GROUP_NAME_LENGTH}
        value={name}
        error={problem?.field === 'name' && problem.text}
        onChange={(event) => {
          setName(event.currentTarget.value)
          setProblem(undefined)
        }}
      />
      <Textarea
        label="Email addresses"
        description="One on each line. They need no account yet."
        autosize
        minRows={4}
        maxRows={10}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        value={people}
        error={problem?.field === 'people' && problem.text}
        onChange={(event) => {
          setPeople(event.currentTarget.value)
          setProblem(undefined)
        }}
      />
      <Line justify="flex-end" gap="xs">
        <Button variant="subtle" onClick={onDone}>
          Cancel
        </Button>
        <BusyButton type="submit" loading={create.isPending || update.isPending}>
          {group ? 'Save' : 'Create'}
        </BusyButton>
      </Line>
    </form>
  )
}
