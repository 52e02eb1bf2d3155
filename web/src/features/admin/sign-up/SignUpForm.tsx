import type { PlanCatalogue } from '@alcove/contract/admin-plans'
import { changeSignUpSettings, type SignUpSettings } from '@alcove/contract/admin-sign-up'
import type { SignUpMode } from '@alcove/contract/sign-up-modes'
import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { sentenceOf } from '../../../api/api.ts'
import { useCall } from '../../../api/use-call.ts'
import { BusyButton } from '../../../ui/BusyButton.tsx'
import { Card } from '../../../ui/Card.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { type Choice, RadioCards } from '../../../ui/RadioCards.tsx'
import { nameOfGiven, optionsOf } from '../plans/queries.ts'
import { adminKeys } from '../queries.ts'
import { QUOTA_PROBLEM, readQuota, writeQuota } from '../quota-field.ts'
import styles from './SignUpSection.module.css'

const modes: readonly Choice<SignUpMode>[] = [
  { value: 'open', name: 'Open', text: 'Everyone can register. An account is activated by a link in an email.' },
  { value: 'invite', name: 'By invitation', text: 'People register with the link of an invitation.' },
  { value: 'domain', name: 'By domain', text: 'Addresses of certain domains can register. Others need an invitation.' },
  { value: 'closed', name: 'Closed', text: 'Nobody can register. Only administrators add people, by invitation.' },
]

interface SignUpFormProps {
  readonly saved: SignUpSettings
  readonly catalogue: PlanCatalogue
}

export function SignUpForm({ saved, catalogue }: SignUpFormProps) {
  const { arePlansOn } = catalogue
  const plans = [{ value: '0', label: 'Free plan' }, ...optionsOf(catalogue.plans)]
  const change = useCall(changeSignUpSettings)
  const queryClient = useQueryClient()
  const [fields, setFields] = useState(() => fieldsOf(saved))
  const set = (changes: Partial<typeof fields>) => {
    change.reset()
    setFields((current) => ({ ...current, ...changes }))
  }
  const quota = readQuota(fields.quota)
  const chosen = String(fields.defaultPlanId)

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (quota === undefined) return
    const { domains, quota: _, ...settings } = fields
    change.mutate(
      { ...settings, domains: domains.split(/[\s,]+/).filter((part) => part !== ''), defaultQuota: quota },
      {
        onSuccess: (settings) => {
          queryClient.setQueryData(adminKeys.signUp, settings)
          setFields(fieldsOf(settings))
          void queryClient.invalidateQueries({ queryKey: adminKeys.auditLog })
        },
      },
    )
  }

  return (
    <Card title="Who can register">
      <form className={styles.form} onSubmit={submit} noValidate>
        <RadioCards legend="Registration" choices={modes} value={fields.mode} onChange={(mode) => set({ mode })} />
        {fields.mode === 'domain' && (
          <TextInput
            label="Domains"
            description="Separated by commas. Subdomains are other domains."
            placeholder="example.com, example.org"
            autoCapitalize="off"
            spellCheck={false}
            value={fields.domains}
            onChange={(event) => set({ domains: event.currentTarget.value })}
          />
        )}
        {fields.mode !== 'open' && (
          <Checkbox
            label="People who are invited to a shared folder can register too"
            checked={fields.allowsSharedFolders}
            onChange={(event) => set({ allowsSharedFolders: event.currentTarget.checked })}
          />
        )}
        <Checkbox
          label="Require two-factor sign-in"
          description="Until it is set up, an account can do nothing else, and its app passwords don’t work."
          checked={fields.requireTwoFactor}
          onChange={(event) => set({ requireTwoFactor: event.currentTarget.checked })}
        />
        <div className={styles.fields}>
          <TextInput
            label="Storage in GB"
            description={`Of accounts without ${arePlansOn ? 'a larger plan or ' : ''}a quota of their own`}
            placeholder="10"
            inputMode="decimal"
            value={fields.quota}
            error={quota === undefined && QUOTA_PROBLEM}
            onChange={(event) => set({ quota: event.currentTarget.value })}
          />
          {arePlansOn && (
            <NativeSelect
              label="Plan of new accounts"
              description="Without payment"
              data={
                plans.some(({ value }) => value === chosen)
                  ? plans
                  : [...plans, { value: chosen, label: nameOfGiven(fields.defaultPlanId, catalogue) }]
              }
              value={chosen}
              onChange={(event) => set({ defaultPlanId: Number(event.currentTarget.value) })}
            />
          )}
        </div>
        {change.isError && (
          <Notice tone="error" text={sentenceOf(change.error) ?? 'Couldn’t save the rules. Try again.'} />
        )}
        {change.isSuccess && <Notice tone="success" text="Saved." />}
        <div>
          <BusyButton type="submit" loading={change.isPending}>
            Save
          </BusyButton>
        </div>
      </form>
    </Card>
  )
}

function fieldsOf({ domains, defaultQuota, ...settings }: SignUpSettings) {
  return { ...settings, domains: domains.join(', '), quota: writeQuota(defaultQuota) }
}
