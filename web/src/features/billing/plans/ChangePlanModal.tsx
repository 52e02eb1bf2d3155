import { Button, Group } from '@mantine/core'
import { modals } from '@mantine/modals'
import styles from './ChangePlanModal.module.css'
import { describeChange, type PlanChange, verbOf } from './describe-change.ts'
import type { PlanOfPeriod } from './plans-on-sale.ts'
import { formatPrice, suffixOf } from './prices.ts'

/** Asks before another plan is paid for; `answer` is told the first answer, and then perhaps a no that means nothing. */
export function openChangePlanModal(change: PlanChange, response: (yes: boolean) => void): void {
  const modalId = modals.open({
    title: 'Change your plan?',
    size: 460,
    onClose: () => response(false),
    children: (
      <>
        <dl className={styles.plans}>
          <PlanLine label="Now" plan={change.from} />
          <PlanLine label="New" plan={change.to} />
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
              response(true)
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
  readonly plan: PlanOfPeriod | undefined
}

/** A plan that is not for sale any more has no line. */
function PlanLine({ label, plan }: PlanLineProps) {
  if (!plan) return null
  return (
    <div className={styles.plan}>
      <dt className={styles.label}>{label}</dt>
      <dd className={styles.name}>
        {plan.tier} {plan.period}
      </dd>
      <dd className={styles.price}>
        {formatPrice(plan.price)}
        {suffixOf(plan.period)}
      </dd>
    </div>
  )
}
