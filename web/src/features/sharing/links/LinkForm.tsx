import { MAX_LABEL_LENGTH } from '@alcove/contract/limits'
import type { Link } from '@alcove/contract/links'
import { Button, Checkbox, Group, PasswordInput, TextInput } from '@mantine/core'
import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { sentenceOf } from '../../../api/api.ts'
import { BusyButton } from '../../../ui/BusyButton.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { RadioCards } from '../../../ui/RadioCards.tsx'
import { Disclosure } from '../Disclosure.tsx'
import { toDay } from '../expiry.ts'
import styles from './LinkForm.module.css'
import { DownloadLimit, RequestFields, UploadLimits } from './LinkLimits.tsx'
import { type FieldProblems, fieldsOf, type LinkFields, readFields } from './link-settings.ts'
import { canDownload, canUpload, type LinkTarget, rightsFor } from './link-texts.ts'
import { useSaveLink } from './queries.ts'

interface LinkFormProps {
  readonly item: LinkTarget
  /** Undefined for a new link. */
  readonly link: Link | undefined
  readonly onSaved: (link: Link) => void
  readonly onClose: () => void
}

/** The fields that show only when the limits are open. */
const LIMITS = ['maxDownloads', 'maxBytes', 'maxFileBytes', 'maxFiles', 'fileTypes'] as const

/** Creates a link of an item, or changes one. */
export function LinkForm({ item, link, onSaved, onClose }: LinkFormProps) {
  const [fields, setFields] = useState(() => fieldsOf(link))
  const [problems, setProblems] = useState<FieldProblems>({})
  const [hasLimits, showLimits] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const save = useSaveLink(item)
  const rights = rightsFor(item)

  useEffect(() => {
    if (Object.keys(problems).length === 0) return
    const field = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
    field?.focus({ preventScroll: true })
    // The error below the field must be visible too.
    field?.scrollIntoView({ block: 'center' })
  }, [problems])

  const change = (changes: Partial<LinkFields>) => {
    setFields({ ...fields, ...changes })
    const left = Object.entries(problems).filter(([name]) => !(name in changes))
    if (left.length < Object.keys(problems).length) setProblems(Object.fromEntries(left))
  }

  function submit(event: SubmitEvent) {
    event.preventDefault()
    const read = readFields(fields, link)
    if ('problems' in read) {
      if (LIMITS.some((name) => name in read.problems)) showLimits(true)
      return setProblems(read.problems)
    }
    if (link && Object.keys(read.settings).length === 0) return onClose()
    save.mutate({ linkId: link?.id, settings: read.settings }, { onSuccess: onSaved })
  }

  return (
    <form ref={form} className={styles.form} onSubmit={submit} noValidate>
      {link && (
        <Checkbox
          label="Enabled"
          checked={fields.enabled}
          onChange={(event) => change({ enabled: event.currentTarget.checked })}
        />
      )}
      <TextInput
        label="Label"
        description="Only you see it."
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        data-autofocus
        autoComplete="off"
        dir="auto"
        maxLength={MAX_LABEL_LENGTH}
        value={fields.label}
        error={problems.label}
        onChange={(event) => change({ label: event.currentTarget.value })}
      />
      {rights.length > 1 ? (
        <RadioCards
          legend="Visitors can"
          choices={rights}
          value={fields.right}
          onChange={(right) => change({ right })}
        />
      ) : (
        <p className={styles.note}>
          Visitors can view and download. They can’t send files to the vault, because those would not be encrypted.
        </p>
      )}
      {canUpload(fields.right) && <RequestFields fields={fields} problems={problems} onChange={change} />}
      <div className={styles.password}>
        <Checkbox
          label="Ask for a password"
          checked={fields.hasPassword}
          onChange={(event) => change({ hasPassword: event.currentTarget.checked, password: '' })}
        />
        {fields.hasPassword && (
          <PasswordInput
            label={link?.hasPassword ? 'New password' : 'Password'}
            description={link?.hasPassword && 'Leave it empty to keep the current one.'}
            inputWrapperOrder={['label', 'input', 'error', 'description']}
            autoComplete="new-password"
            value={fields.password}
            error={problems.password}
            aria-invalid={problems.password !== undefined}
            onChange={(event) => change({ password: event.currentTarget.value })}
          />
        )}
      </div>
      <TextInput
        type="date"
        label="Last day"
        description="Leave it empty for a link that doesn’t expire."
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        min={toDay(new Date())}
        value={fields.day}
        error={problems.day}
        onChange={(event) => change({ day: event.currentTarget.value })}
      />
      {fields.right !== 'preview' && (
        <Disclosure label="Limits" isOpen={hasLimits} onToggle={showLimits}>
          {canDownload(fields.right) && <DownloadLimit fields={fields} problems={problems} onChange={change} />}
          {canUpload(fields.right) && <UploadLimits fields={fields} problems={problems} onChange={change} />}
        </Disclosure>
      )}
      {save.isError && (
        <Notice
          tone="error"
          text={sentenceOf(save.error) ?? 'Couldn’t save the link. Check your connection, then try again.'}
        />
      )}
      <Group justify="flex-end" gap="xs">
        <Button variant="subtle" disabled={save.isPending} onClick={onClose}>
          Cancel
        </Button>
        <BusyButton type="submit" loading={save.isPending}>
          {link ? 'Save' : 'Create Link'}
        </BusyButton>
      </Group>
    </form>
  )
}
