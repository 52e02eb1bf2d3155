import { planNameOf } from '@alcove/contract/plans'
import { Button, Group } from '@mantine/core'
import { modals } from '@mantine/modals'
import { formatPrice, suffixOf } from '../../../lib/prices.ts'
import { openDialog } from '../../../ui/dialogs/open-dialog.tsx'
import styles from './ChangePlanModal.module.css'
import { type CurrentPlan, describeChange, type PlanChange, verbOf } from './describe-change.ts'

/** Asks for confirmation of a change of plan. Only the first call of `onAnswer` counts: closing calls it again. */
export function openChangePlanModal(change: PlanChange, onAnswer: (isConfirmed: boolean) => void): void {
  const modalId = openDialog({
    title: 'Change your plan?',
    size: 460,
    onClose: () => onAnswer(false),
    children: (
      <>
        <dl className={styles.plans}>
          <PlanLine label="Now" plan={change.from} />
          <PlanLine label="New" plan={change.to && { ...change.to, planName: planNameOf(change.to) }} />
        </dl>
        {describeChange(change).map((sentence) => (
          <p className={styles.sentence} key={sentence}>
            {sentence}
          </p>
        ))}
        <Group justify="flex-end" gap="xs" mt="lg">
          <Button variant="subtle" data-autofocus onClick={() => modals.close(modalId)}>
            Cancel
          </Button>
          <Button
            onClick={() => {
              onAnswer(true)
              modals.close(modalId)
            }}
          >
            {verbOf(change)}
          </Button>
        </Group>
      </>
    ),
  })
}

interface PlanLineProps {
  readonly label: string
  readonly plan: CurrentPlan | undefined
}

/** Shows nothing for a plan that isn't known, and no price if that isn't. */
function PlanLine({ label, plan }: PlanLineProps) {
  if (!plan) return null
  return (
    <div className={styles.plan}>
      <dt className={styles.label}>{label}</dt>
      <dd className={styles.name}>
        <bdi>{plan.planName}</bdi>
      </dd>
      {plan.price !== undefined && (
        <dd className={styles.price}>
          {formatPrice(plan.price)}
          {suffixOf(plan.period)}
        </dd>
      )}
    </div>
  )
}
