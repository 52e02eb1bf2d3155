import { MAX_ANNOUNCEMENT_LENGTH } from '@alcove/contract/limits'
import type { Announcement } from '@alcove/contract/site'
import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { type SubmitEvent, useRef, useState } from 'react'
import { useFocusFallback } from '../../../lib/use-focus-fallback.ts'
import { BusyButton } from '../../../ui/BusyButton.tsx'
import styles from './AppearanceSection.module.css'
import { useSaveAppearance } from './queries.ts'
import { SaveState } from './SaveState.tsx'

/** Shows a bar to all users, on every page. */
export function AnnouncementForm({ announcement }: { readonly announcement: Announcement | null }) {
  const save = useSaveAppearance()
  const [text, setText] = useState(announcement?.text ?? '')
  const [tone, setTone] = useState<Announcement['tone']>(announcement?.tone ?? 'info')
  const [until, setUntil] = useState(announcement?.until ? toLocalTime(announcement.until) : '')

  const field = useRef<HTMLInputElement>(null)
  const textField = useRef<HTMLTextAreaElement>(null)
  // Remove is gone once nothing is announced.
  useFocusFallback(textField, String(announcement !== null))

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (isPast(until)) return field.current?.focus()
    const end = until === '' ? null : new Date(until).toISOString()
    save.mutate({ announcement: { text: text.replace(/\s+/g, ' '), tone, until: end } })
  }

  return (
    <form className={styles.form} onSubmit={submit} onChange={() => save.isSuccess && save.reset()} noValidate>
      <SaveState action={save} saved={announcement ? 'All users see it now.' : 'The announcement is removed.'} />
      <Textarea
        ref={textField}
        label="Text"
        description="Shown above every page to signed-in users, and on the sign-in page. Web addresses become links."
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        placeholder="On Sunday at 20:00 the server moves to a new disk. It takes about an hour."
        dir="auto"
        rows={2}
        maxLength={MAX_ANNOUNCEMENT_LENGTH}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <NativeSelect
        label="Kind"
        data={[
          { value: 'info', label: 'Information' },
          { value: 'warning', label: 'Warning' },
        ]}
        value={tone}
        onChange={(event) => setTone(event.currentTarget.value as Announcement['tone'])}
      />
      <TextInput
        label="Ends"
        description="Without a time, it stays until you remove it."
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        ref={field}
        type="datetime-local"
        error={isPast(until) && 'Choose a time that is still to come.'}
        value={until}
        onChange={(event) => setUntil(event.currentTarget.value)}
      />
      <div className={styles.actions}>
        <BusyButton type="submit" loading={save.isPending}>
          Announce
        </BusyButton>
        {announcement && (
          <BusyButton
            type="button"
            variant="subtle"
            loading={save.isPending}
            onClick={() => save.mutate({ announcement: null }, { onSuccess: () => setText('') })}
          >
            Remove
          </BusyButton>
        )}
      </div>
    </form>
  )
}

function isPast(localTime: string): boolean {
  return localTime !== '' && Date.parse(localTime) <= Date.now()
}

/** Formats a time as the field for it needs: local, to the minute. */
function toLocalTime(time: string): string {
  const date = new Date(time)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
