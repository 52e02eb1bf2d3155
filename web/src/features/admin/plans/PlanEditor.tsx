import type { PlanCatalogue } from '@alcove/contract/admin-plans'
import { MAX_PLANS_PER_PERIOD } from '@alcove/contract/limits'
import { type BillingPeriod, billingPeriods } from '@alcove/contract/plans'
import { Button, VisuallyHidden } from '@mantine/core'
import { IconPlus, IconRestore } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { randomId } from '../../../lib/random-id.ts'
import { BusyButton } from '../../../ui/BusyButton.tsx'
import { Card } from '../../../ui/Card.tsx'
import { confirm } from '../../../ui/dialogs/dialogs.tsx'
import { openPlanModal } from './PlanForm.tsx'
import { PlanRow } from './PlanRow.tsx'
import styles from './PlansSection.module.css'
import { describeKeeping, titleOf } from './plan-texts.ts'
import { addPlan, editPlan, movePlan, removePlan, type StagedPlan, type StagedPlans } from './staged-plans.ts'
import { UnsavedBar } from './UnsavedBar.tsx'
import { useLeaveGuard } from './use-leave-guard.tsx'
import { usePlanEdits } from './use-plan-edits.ts'

/** The plans of each billing period. Changes are collected until they are saved together. */
export function PlanEditor({ catalogue }: { readonly catalogue: PlanCatalogue }) {
  const place = useRef<HTMLDivElement>(null)
  // The bar with the buttons is gone then.
  const edits = usePlanEdits(catalogue, () => place.current?.focus({ preventScroll: true }))
  useLeaveGuard(edits.isDirty)

  async function askToReset() {
    const isWanted = await confirm({
      question: 'Sell the plans of the installation again?',
      detail: `These are the plans that Alcove came with, unless its files were changed. Accounts keep the plans that they have.${edits.isDirty ? ' Your changes that aren’t saved are lost.' : ''}`,
      verb: 'Replace all plans',
      icon: <IconRestore size={20} stroke={1.75} />,
    })
    if (isWanted) edits.reset()
  }

  return (
    <div ref={place} className={styles.cards} tabIndex={-1}>
      {!catalogue.arePlansOn && <p className={styles.note}>Nobody sees these plans while plans are off.</p>}
      {billingPeriods.map((period) => (
        <PeriodCard
          key={period}
          period={period}
          staged={edits.staged}
          onChange={edits.isBusy ? ignore : edits.change}
        />
      ))}
      {!catalogue.isFromFile && (
        <div>
          <BusyButton variant="default" loading={edits.isBusy} onClick={() => void askToReset()}>
            Back to the plans of the installation
          </BusyButton>
        </div>
      )}
      <UnsavedBar edits={edits} />
    </div>
  )
}

/** While the changes are being saved, there are no further ones. */
const ignore = () => {}

interface PeriodCardProps {
  readonly period: BillingPeriod
  readonly staged: StagedPlans
  readonly onChange: (staged: StagedPlans) => void
}

function PeriodCard({ period, staged, onChange }: PeriodCardProps) {
  const [told, setTold] = useState('')
  const addButton = useRef<HTMLButtonElement>(null)
  const plans = staged.filter((plan) => plan.period === period)
  const sold = plans.filter(({ isRemoved }) => !isRemoved)
  const namesWithout = (key?: string) => sold.filter((plan) => plan.key !== key).map(titleOf)

  function move(plan: StagedPlan, by: 1 | -1) {
    onChange(movePlan(staged, plan.key, by))
    setTold(`${titleOf(plan)} is now number ${plans.indexOf(plan) + 1 + by} of ${plans.length}.`)
  }

  async function remove(plan: StagedPlan, isRemoved: boolean) {
    const kept = plan.saved && describeKeeping(plan.saved)
    const isWanted =
      !isRemoved ||
      !kept ||
      (await confirm({
        question: `Stop selling ${titleOf(plan)} ${period}?`,
        detail: `${kept} Nobody else can buy the plan any more.`,
        verb: 'Remove',
      }))
    if (!isWanted) return
    onChange(removePlan(staged, plan.key, isRemoved))
    if (!plan.saved) addButton.current?.focus()
  }

  return (
    <Card title={period}>
      {plans.length === 0 ? (
        <p className={styles.note}>No plan with this billing period is for sale.</p>
      ) : (
        <ul className={styles.plans} aria-label={`Plans: ${period}`}>
          {plans.map((plan, index) => (
            <PlanRow
              key={plan.key}
              plan={plan}
              isFirst={index === 0}
              isLast={index === plans.length - 1}
              onMove={(by) => move(plan, by)}
              onEdit={() =>
                openPlanModal({
                  period,
                  plan,
                  taken: namesWithout(plan.key),
                  onDone: (content) => onChange(editPlan(staged, plan.key, content)),
                })
              }
              onRemove={(isRemoved) => void remove(plan, isRemoved)}
            />
          ))}
        </ul>
      )}
      <VisuallyHidden role="status">{told}</VisuallyHidden>
      <div className={styles.add}>
        <Button
          ref={addButton}
          variant="default"
          leftSection={<IconPlus size={18} stroke={1.75} aria-hidden />}
          aria-label={`Add a plan: ${period}`}
          disabled={sold.length >= MAX_PLANS_PER_PERIOD}
          onClick={() =>
            openPlanModal({
              period,
              taken: namesWithout(),
              onDone: (content) => onChange(addPlan(staged, randomId(), period, content)),
            })
          }
        >
          Add a plan
        </Button>
      </div>
    </Card>
  )
}
