import { setUserPlan, setUserQuota, type UserDetails } from '@alcove/contract/admin-users'
import { GIGABYTE } from '@alcove/contract/limits'
import { NativeSelect, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { useAction } from '../../../api/use-call.ts'
import { BusyButton } from '../../../ui/BusyButton.tsx'
import { usePlanChoices } from './queries.ts'
import { sendAction } from './send-action.ts'
import styles from './UserDetails.module.css'

interface FieldProps {
  readonly user: UserDetails
}

/** Chooses the plan of a user who doesn't pay for one. */
export function PlanField({ user }: FieldProps) {
  const queryClient = useQueryClient()
  const { onSale } = usePlanChoices()
  const current = String(user.planId)
  const [planId, setPlanId] = useState(current)
  const action = useAction(async () => {
    const isDone = await sendAction(queryClient, user.id, setUserPlan, { id: user.id, planId: Number(planId) })
    if (!isDone) setPlanId(current)
  })
  // A plan that is no longer sold is kept.
  const choices = onSale.some(({ value }) => value === current)
    ? onSale
    : [...onSale, { value: current, label: user.planName }]
  return (
    <div className={styles.group}>
      <div className={styles.field}>
        <NativeSelect
          label="Plan"
          disabled={user.isPlanPaid}
          value={planId}
          onChange={(event) => setPlanId(event.currentTarget.value)}
          data={choices}
        />
        {planId !== current && (
          <BusyButton variant="default" loading={action.isPending} onClick={() => action.mutate()}>
            Save
          </BusyButton>
        )}
      </div>
      {user.isPlanPaid && <p className={styles.hint}>The user pays for this plan, so you can’t change it.</p>}
    </div>
  )
}

/** Gives a user a quota in place of the plan's. An empty field is the plan's quota. */
export function QuotaField({ user }: FieldProps) {
  const queryClient = useQueryClient()
  const current = user.ownQuota === null ? '' : inGigabytes(user.ownQuota)
  const [text, setText] = useState(current)
  const value = text.trim().replace(',', '.')
  const isValid = value === '' || (/^\d{1,7}(\.\d{1,3})?$/.test(value) && Number(value) <= 8_000_000)
  const action = useAction(async () => {
    const quota = value === '' ? null : Math.round(Number(value) * GIGABYTE)
    await sendAction(queryClient, user.id, setUserQuota, { id: user.id, quota })
  })

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (isValid && text !== current) action.mutate()
  }

  return (
    <form className={styles.group} onSubmit={submit} noValidate>
      <div className={styles.field}>
        <TextInput
          label="Own quota in GB"
          inputMode="decimal"
          placeholder={`${inGigabytes(user.planQuota)}, from the plan`}
          error={isValid ? undefined : 'Enter a number of gigabytes, or nothing for the quota of the plan.'}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        {text !== current && (
          <BusyButton type="submit" variant="default" loading={action.isPending} disabled={!isValid}>
            Save
          </BusyButton>
        )}
      </div>
    </form>
  )
}

function inGigabytes(bytes: number): string {
  return String(Number((bytes / GIGABYTE).toFixed(3)))
}
