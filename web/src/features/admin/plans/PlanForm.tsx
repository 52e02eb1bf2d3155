import { MAX_PLAN_DESCRIPTION_LENGTH, MAX_PLAN_NAME_LENGTH } from '@alcove/contract/limits'
import { type BillingPeriod, descriptionOf } from '@alcove/contract/plans'
import { Button, Checkbox, Group, NativeSelect, Stack, TextInput } from '@mantine/core'
import { modals } from '@mantine/modals'
import { type SubmitEvent, useRef, useState } from 'react'
import { suffixOf } from '../../../lib/prices.ts'
import { openDialog } from '../../../ui/dialogs/open-dialog.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import styles from './PlanForm.module.css'
import { fieldsOf, type PlanFields, type PlanProblems, readFields, type StorageUnit } from './plan-fields.ts'
import { describeKeeping, titleOf } from './plan-texts.ts'
import { isReplaced, type PlanContent, type StagedPlan } from './staged-plans.ts'

interface PlanModalOptions {
  readonly period: BillingPeriod
  /** Undefined for a new one. */
  readonly plan?: StagedPlan
  /** What the other plans with this period are called. */
  readonly taken: readonly string[]
  readonly onDone: (content: PlanContent) => void
}

export function openPlanModal(options: PlanModalOptions): void {
  const { plan, period, onDone } = options
  const modalId = openDialog({
    title: plan ? `Edit ${titleOf(plan)} ${period}` : `Add a plan: ${period}`,
    size: 460,
    children: (
      <PlanForm
        {...options}
        onCancel={() => modals.close(modalId)}
        onDone={(content) => {
          onDone(content)
          modals.close(modalId)
        }}
      />
    ),
  })
}

interface PlanFormProps extends PlanModalOptions {
  readonly onCancel: () => void
}

function PlanForm({ plan, period, taken, onDone, onCancel }: PlanFormProps) {
  const [fields, setFields] = useState(() => fieldsOf(plan))
  const [problems, setProblems] = useState<PlanProblems>({})
  const form = useRef<HTMLFormElement>(null)
  const result = readFields(fields, taken)
  const content = 'content' in result ? result.content : undefined
  const kept =
    plan?.saved && content && isReplaced({ ...content, saved: plan.saved }) ? describeKeeping(plan.saved) : undefined

  function change(changes: Partial<PlanFields>) {
    setProblems({})
    setFields((current) => ({ ...current, ...changes }))
  }

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if ('content' in result) return onDone(result.content)
    setProblems(result.problems)
    const [first] = (['name', 'storage', 'price'] as const).filter((name) => result.problems[name] !== undefined)
    form.current?.querySelector<HTMLInputElement>(`input[name="${first}"]`)?.focus()
  }

  return (
    <form ref={form} onSubmit={submit} noValidate>
      <Stack gap={14}>
        <TextInput
          name="name"
          label="Name"
          description="Empty to name it after its storage"
          dir="auto"
          autoComplete="off"
          data-autofocus
          maxLength={MAX_PLAN_NAME_LENGTH}
          value={fields.name}
          error={problems.name}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <div className={styles.storage}>
          <TextInput
            name="storage"
            label="Storage"
            inputMode="decimal"
            autoComplete="off"
            value={fields.storage}
            error={problems.storage}
            onChange={(event) => change({ storage: event.currentTarget.value })}
          />
          <NativeSelect
            label="Unit"
            data={['GB', 'TB'] satisfies StorageUnit[]}
            value={fields.unit}
            onChange={(event) => change({ unit: event.currentTarget.value as StorageUnit })}
          />
        </div>
        <TextInput
          name="price"
          label="Price in US dollars"
          inputMode="decimal"
          autoComplete="off"
          leftSection="$"
          rightSection={<span className={styles.suffix}>{suffixOf(period)}</span>}
          rightSectionWidth={56}
          value={fields.price}
          error={problems.price}
          onChange={(event) => change({ price: event.currentTarget.value })}
        />
        <TextInput
          label="Description"
          description="One or two lines below the name"
          placeholder={content && descriptionOf({ tier: titleOf({ ...content, name: null }) })}
          dir="auto"
          autoComplete="off"
          maxLength={MAX_PLAN_DESCRIPTION_LENGTH}
          value={fields.description}
          onChange={(event) => change({ description: event.currentTarget.value })}
        />
        <Checkbox
          label="Highlight this plan"
          description="One plan of each billing period can stand out."
          checked={fields.highlight}
          onChange={(event) => change({ highlight: event.currentTarget.checked })}
        />
        {kept && <Notice tone="info" text={`${kept} New subscribers get the plan as it is here.`} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="subtle" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit">{plan ? 'Apply' : 'Add'}</Button>
        </Group>
      </Stack>
    </form>
  )
}
