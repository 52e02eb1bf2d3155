import type { PlanCatalogue } from '@alcove/contract/admin-plans'
import { INVALID_EMAIL, isEmail } from '@alcove/contract/credentials'
import { createInvitation } from '@alcove/contract/invitations'
import { NativeSelect, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useRef, useState } from 'react'
import { sentenceOf } from '../../../api/api.ts'
import { useCall } from '../../../api/use-call.ts'
import { BusyButton } from '../../../ui/BusyButton.tsx'
import { notifySuccess } from '../../../ui/toasts/notify.tsx'
import { optionsOf } from '../plans/queries.ts'
import { adminKeys } from '../queries.ts'
import { QUOTA_PROBLEM, readQuota } from '../quota-field.ts'
import styles from './InvitationsCard.module.css'

const EMPTY = { email: '', role: 'user' as 'user' | 'admin', planId: '', quota: '' }

/** Invites one person, with what the account will have. */
export function InviteForm({ catalogue }: { readonly catalogue: PlanCatalogue }) {
  const invite = useCall(createInvitation)
  const queryClient = useQueryClient()
  const field = useRef<HTMLInputElement>(null)
  const [fields, setFields] = useState(EMPTY)
  const [problem, setProblem] = useState<string>()
  const quota = readQuota(fields.quota)

  function change(changes: Partial<typeof fields>) {
    setProblem(undefined)
    setFields((current) => ({ ...current, ...changes }))
  }

  function fail(text: string) {
    setProblem(text)
    field.current?.focus()
  }

  function submit(event: SubmitEvent) {
    event.preventDefault()
    const { email, role, planId } = fields
    if (!isEmail(email)) return fail(INVALID_EMAIL)
    if (quota === undefined) return
    invite.mutate(
      { email: email.trim(), role, quota, ...(planId !== '' && { planId: Number(planId) }) },
      {
        onSuccess(invited) {
          notifySuccess(`${invited.email} was invited.`)
          setFields(EMPTY)
          field.current?.focus()
          void queryClient.invalidateQueries({ queryKey: adminKeys.invitations })
        },
        onError: (error) => fail(sentenceOf(error) ?? 'Couldn’t invite this person. Try again.'),
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
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        value={fields.email}
        error={problem}
        onChange={(event) => change({ email: event.currentTarget.value })}
      />
      <NativeSelect
        label="Role"
        data={[
          { value: 'user', label: 'User' },
          { value: 'admin', label: 'Administrator' },
        ]}
        value={fields.role}
        onChange={(event) => change({ role: event.currentTarget.value as 'user' | 'admin' })}
      />
      {catalogue.arePlansOn && (
        <NativeSelect
          label="Plan"
          data={[
            { value: '', label: 'That of new accounts' },
            { value: '0', label: 'Free plan' },
            ...optionsOf(catalogue.plans),
          ]}
          value={fields.planId}
          onChange={(event) => change({ planId: event.currentTarget.value })}
        />
      )}
      <TextInput
        label="Storage in GB"
        placeholder="As usual"
        inputMode="decimal"
        value={fields.quota}
        error={quota === undefined && QUOTA_PROBLEM}
        onChange={(event) => change({ quota: event.currentTarget.value })}
      />
      <BusyButton className={styles.invite} type="submit" loading={invite.isPending}>
        Invite
      </BusyButton>
    </form>
  )
}
