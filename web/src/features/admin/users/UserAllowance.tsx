import { setUserPlan, setUserQuota, type UserDetails } from '@alcove/contract/admin-users'
import { FREE_PLAN } from '@alcove/contract/plans'
import { NativeSelect, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useRef, useState } from 'react'
import { useAction } from '../../../api/use-call.ts'
import { hasPlans } from '../../../lib/site.ts'
import { useFocusFallback } from '../../../lib/use-focus-fallback.ts'
import { BusyButton } from '../../../ui/BusyButton.tsx'
import { QUOTA_PROBLEM, readQuota, writeQuota } from '../quota-field.ts'
import { usePlanChoices } from './queries.ts'
import { sendAction } from './send-action.ts'
import styles from './UserDetails.module.css'

interface FieldProps {
  readonly user: UserDetails
}

/** Chooses the plan of a user who doesn't pay for one. Without plans, only what a user still has is shown. */
export function PlanField({ user }: FieldProps) {
  const queryClient = useQueryClient()
  const { onSale } = usePlanChoices()
  const current = String(user.planId)
  const [chosen, choose] = useState<string>()
  const planId = chosen ?? current
  const isChanged = planId !== current
  const field = useRef<HTMLSelectElement>(null)
  // Saved, the button is gone.
  useFocusFallback(field, String(isChanged))
  const action = useAction(async () => {
    const isDone = await sendAction(queryClient, user.id, setUserPlan, { id: user.id, planId: Number(planId) })
    if (!isDone) choose(undefined)
  })
  if (!hasPlans() && user.planId === FREE_PLAN.planId) return null
  // A plan that is no longer sold is kept.
  const choices = onSale.some(({ value }) => value === current)
    ? onSale
    : [...onSale, { value: current, label: user.planName }]
  return (
    <div className={styles.group}>
      <div className={styles.field}>
        <NativeSelect
          ref={field}
          label="Plan"
          disabled={user.isPlanPaid}
          value={planId}
          onChange={(event) => choose(event.currentTarget.value)}
          data={choices}
        />
        {isChanged && (
          <BusyButton variant="default" loading={action.isPending} onClick={() => action.mutate()}>
            Save
          </BusyButton>
        )}
      </div>
      {user.isPlanPaid && <p className={styles.hint}>The user pays for this plan, so you can’t change it.</p>}
    </div>
  )
}

/** Gives a user a quota in place of the usual one. An empty field is that one. */
export function QuotaField({ user }: FieldProps) {
  const queryClient = useQueryClient()
  const [typed, setTyped] = useState<string>()
  const text = typed ?? writeQuota(user.ownQuota)
  const quota = readQuota(text)
  const isChanged = typed !== undefined && quota !== user.ownQuota
  const field = useRef<HTMLInputElement>(null)
  // Saved, the button is gone.
  useFocusFallback(field, String(isChanged))
  const action = useAction(async (chosen: number | null) => {
    await sendAction(queryClient, user.id, setUserQuota, { id: user.id, quota: chosen })
  })

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (quota !== undefined && isChanged) action.mutate(quota)
  }

  return (
    <form className={styles.group} onSubmit={submit} noValidate>
      <div className={styles.field}>
        <TextInput
          ref={field}
          label="Own quota in GB"
          inputMode="decimal"
          placeholder={`${writeQuota(user.planQuota)}, ${hasPlans() ? 'from the plan' : 'as usual'}`}
          error={quota === undefined && QUOTA_PROBLEM}
          value={text}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        {isChanged && (
          <BusyButton type="submit" variant="default" loading={action.isPending} disabled={quota === undefined}>
            Save
          </BusyButton>
        )}
      </div>
    </form>
  )
}
