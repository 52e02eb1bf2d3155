import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { formatMoment } from '../../lib/format.ts'
import { notifySuccess } from '../../ui/toasts/notify.tsx'
import { endOfDay, toDay } from './expiry.ts'
import styles from './LinkOptions.module.css'

interface LinkExpiryFormProps {
  readonly expiresAt: string | null
  readonly onChange: (expiresAt: string | null) => Promise<unknown>
}

/** Sets the last day on which a link works, or none. */
export function LinkExpiryForm({ expiresAt, onChange }: LinkExpiryFormProps) {
  const [typed, setTyped] = useState<string>()
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const day = typed ?? (expiresAt ? toDay(new Date(expiresAt)) : '')

  async function change(next: string | null) {
    setBusy(true)
    const isDone = await onChange(next)
    setBusy(false)
    if (!isDone) return
    setTyped(undefined)
    notifySuccess(next === null ? 'Expiry date removed.' : 'Expiry date set.')
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    const end = endOfDay(day)
    const found = !end
      ? 'Choose a day.'
      : end.getTime() <= Date.now()
        ? 'Choose a day that is not over yet.'
        : undefined
    setProblem(found)
    if (end && !found && !isBusy) void change(end.toISOString())
  }

  return (
    <form className={styles.option} onSubmit={submit} noValidate>
      <TextInput
        className={styles.field}
        type="date"
        label="Expiry date"
        description={expiresAt ? `${isOver(expiresAt) ? 'Expired' : 'Expires'} ${formatMoment(expiresAt)}.` : 'Never.'}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        min={toDay(new Date())}
        value={day}
        error={problem}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          setProblem(undefined)
        }}
      />
      <div className={styles.buttons}>
        <Button type="submit" variant="default" loading={isBusy}>
          Set Date
        </Button>
        {expiresAt && (
          <Button variant="subtle" disabled={isBusy} onClick={() => void change(null)}>
            Remove
          </Button>
        )}
      </div>
    </form>
  )
}

function isOver(time: string): boolean {
  return Date.parse(time) <= Date.now()
}
