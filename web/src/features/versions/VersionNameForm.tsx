import { TextInput } from '@mantine/core'
import { IconCheck, IconX } from '@tabler/icons-react'
import { type KeyboardEvent, type SubmitEvent, useRef, useState } from 'react'
import { sentenceOf } from '../../api/api.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import styles from './VersionList.module.css'

interface VersionNameFormProps {
  /** null if the version has no name. */
  readonly name: string | null
  /** When the version was replaced, in words. */
  readonly when: string
  /** Rejects if the server refuses the name. */
  readonly onSubmit: (name: string) => Promise<void>
  readonly onCancel: () => void
}

/** The name of a version, edited within its row. Enter saves it, Escape cancels, and an empty one removes the name. */
export function VersionNameForm({ name, when, onSubmit, onCancel }: VersionNameFormProps) {
  const [typed, setTyped] = useState(name ?? '')
  const [problem, setProblem] = useState<string>()
  const [isPending, setPending] = useState(false)
  const isSent = useRef(false)

  async function submit(event: SubmitEvent) {
    event.preventDefault()
    if (isSent.current) return // a double click
    if (typed.trim() === (name ?? '')) return onCancel()
    isSent.current = true
    setPending(true)
    try {
      await onSubmit(typed)
    } catch (error) {
      isSent.current = false
      setPending(false)
      setProblem(sentenceOf(error) ?? "Couldn't save the name. Check your connection, then try again.")
    }
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Escape' && !event.nativeEvent.isComposing) onCancel()
  }

  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)} onKeyDown={onKeyDown} noValidate>
      <TextInput
        className={styles.field}
        size="sm"
        aria-label={`Name of the version replaced ${when}`}
        placeholder="For example: before the rewrite"
        value={typed}
        error={problem}
        dir="auto"
        autoComplete="off"
        enterKeyHint="done"
        autoFocus
        // Escape ends the editing and doesn't close the dialog.
        data-mantine-stop-propagation="true"
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          setProblem(undefined)
        }}
      />
      <IconButton label="Save the name" type="submit" loading={isPending}>
        <IconCheck size={18} stroke={1.75} />
      </IconButton>
      <IconButton label="Cancel" onClick={onCancel} data-mantine-stop-propagation="true">
        <IconX size={18} stroke={1.75} />
      </IconButton>
    </form>
  )
}
