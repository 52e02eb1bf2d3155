import { INVALID_EMAIL, isEmail } from '@alcove/contract/credentials'
import type { FolderGroup } from '@alcove/contract/members'
import type { Role } from '@alcove/contract/roles'
import { NativeSelect, TextInput } from '@mantine/core'
import { type SubmitEvent, useRef, useState } from 'react'
import { sentenceOf } from '../../../api/api.ts'
import { BusyButton } from '../../../ui/BusyButton.tsx'
import { notifySuccess } from '../../../ui/toasts/notify.tsx'
import { GroupInvite } from './groups/GroupInvite.tsx'
import styles from './MembersModal.module.css'
import { roleChoices } from './member-texts.ts'
import { useInvite } from './queries.ts'

interface InviteFormProps {
  readonly folderId: string
  /** The user's groups with which the folder is shared already. */
  readonly groups: readonly FolderGroup[]
  readonly isOwner: boolean
}

/** Invites someone to a folder by email address, or a group of people. */
export function InviteForm({ folderId, groups, isOwner }: InviteFormProps) {
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('viewer')
  const [problem, setProblem] = useState<string>()
  const field = useRef<HTMLInputElement>(null)
  const { mutate: invite, isPending } = useInvite(folderId)

  function fail(text: string) {
    setProblem(text)
    field.current?.focus()
  }

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (!isEmail(email)) return fail(INVALID_EMAIL)
    invite(
      { email: email.trim(), role },
      {
        onSuccess(invited) {
          notifySuccess(`${invited.email} was invited.`)
          setEmail('')
          field.current?.focus()
        },
        onError: (error) =>
          fail(sentenceOf(error) ?? 'Couldn’t send the invitation. Check your connection, then try again.'),
      },
    )
  }

  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <TextInput
        ref={field}
        className={styles.email}
        label="Email"
        type="email"
        data-autofocus
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        value={email}
        error={problem}
        onChange={(event) => {
          setEmail(event.currentTarget.value)
          setProblem(undefined)
        }}
      />
      <NativeSelect
        className={styles.newRole}
        label="Role"
        data={roleChoices}
        value={role}
        onChange={(event) => setRole(event.currentTarget.value as Role)}
      />
      <BusyButton className={styles.invite} type="submit" loading={isPending}>
        Invite
      </BusyButton>
      <GroupInvite folderId={folderId} role={role} shared={groups} isOwner={isOwner} />
    </form>
  )
}
