import { findLinkPasswordProblem } from '@alcove/contract/credentials'
import type { PublicLink } from '@alcove/contract/sharing'
import { Button, PasswordInput, TextInput } from '@mantine/core'
import { type SubmitEvent, useState } from 'react'
import { useAction } from '../../api/use-call.ts'
import { formatCount, formatMoment } from '../../lib/format.ts'
import { BusyButton } from '../../ui/BusyButton.tsx'
import { notifySuccess } from '../../ui/toasts/notify.tsx'
import { Disclosure } from './Disclosure.tsx'
import { endOfDay, isExpired, toDay } from './expiry.ts'
import styles from './LinkOptions.module.css'
import type { LinkChange } from './queries.ts'

interface LinkOptionsProps {
  readonly link: PublicLink
  /** Resolves to undefined if the change failed, after an error message. */
  readonly onChange: (change: Omit<LinkChange, 'enabled'>) => Promise<PublicLink | undefined>
}

/** The password and the expiry date of a link, collapsed at first. */
export function LinkOptions({ link, onChange }: LinkOptionsProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Disclosure label="Options" isOpen={isOpen} onToggle={setOpen}>
      <LinkPasswordForm hasPassword={link.hasPassword} onChange={(password) => onChange({ password })} />
      <LinkExpiryForm expiresAt={link.expiresAt} onChange={(expiresAt) => onChange({ expiresAt })} />
      <p className={styles.count}>Downloads so far: {formatCount(link.downloadCount)}</p>
    </Disclosure>
  )
}

interface LinkPasswordFormProps {
  readonly hasPassword: boolean
  readonly onChange: (password: string | null) => Promise<unknown>
}

/** Sets, changes and removes the password of a link. */
function LinkPasswordForm({ hasPassword, onChange }: LinkPasswordFormProps) {
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<string>()
  const { mutate: save, isPending } = useAction(async (next: string | null) => {
    if (!(await onChange(next))) return
    setPassword('')
    notifySuccess(next === null ? 'Password removed.' : 'Password set.')
  })

  function submit(event: SubmitEvent) {
    event.preventDefault()
    const found = findLinkPasswordProblem(password)
    setProblem(found)
    if (!found) save(password)
  }

  return (
    <form className={styles.option} onSubmit={submit} noValidate>
      <PasswordInput
        className={styles.field}
        label={hasPassword ? 'New password' : 'Password'}
        description={
          hasPassword ? 'Visitors need the password to open the link.' : 'Without a password, the link alone is enough.'
        }
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        autoComplete="new-password"
        value={password}
        error={problem}
        onChange={(event) => {
          setPassword(event.currentTarget.value)
          setProblem(undefined)
        }}
      />
      <div className={styles.buttons}>
        <BusyButton type="submit" variant="default" loading={isPending}>
          {hasPassword ? 'Change Password' : 'Set Password'}
        </BusyButton>
        {hasPassword && (
          <Button variant="subtle" disabled={isPending} onClick={() => save(null)}>
            Remove
          </Button>
        )}
      </div>
    </form>
  )
}

interface LinkExpiryFormProps {
  readonly expiresAt: string | null
  readonly onChange: (expiresAt: string | null) => Promise<unknown>
}

/** Sets or removes the last day on which a link works. */
function LinkExpiryForm({ expiresAt, onChange }: LinkExpiryFormProps) {
  const [typed, setTyped] = useState<string>()
  const [problem, setProblem] = useState<string>()
  const day = typed ?? (expiresAt ? toDay(new Date(expiresAt)) : '')
  const { mutate: save, isPending } = useAction(async (next: string | null) => {
    if (!(await onChange(next))) return
    setTyped(undefined)
    notifySuccess(next === null ? 'Expiry date removed.' : 'Expiry date set.')
  })

  function submit(event: SubmitEvent) {
    event.preventDefault()
    const end = endOfDay(day)
    const found = !end ? 'Choose a day.' : end.getTime() <= Date.now() ? 'Choose today or a later day.' : undefined
    setProblem(found)
    if (end && !found) save(end.toISOString())
  }

  return (
    <form className={styles.option} onSubmit={submit} noValidate>
      <TextInput
        className={styles.field}
        type="date"
        label="Expiry date"
        description={
          expiresAt ? `${isExpired(expiresAt) ? 'Expired' : 'Expires'} ${formatMoment(expiresAt)}.` : 'Never.'
        }
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
        <BusyButton type="submit" variant="default" loading={isPending}>
          Set Date
        </BusyButton>
        {expiresAt && (
          <Button variant="subtle" disabled={isPending} onClick={() => save(null)}>
            Remove
          </Button>
        )}
      </div>
    </form>
  )
}
