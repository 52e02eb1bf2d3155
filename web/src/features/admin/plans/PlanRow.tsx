import { tierOf } from '@alcove/contract/plans'
import { Anchor } from '@mantine/core'
import { IconArrowBackUp, IconPencil, IconTrash } from '@tabler/icons-react'
import { useId } from 'react'
import { Link } from 'react-router'
import { plural } from '../../../lib/format.ts'
import { IconButton } from '../../../ui/IconButton.tsx'
import { MoveButton } from '../parts/MoveButton.tsx'
import styles from './PlanRow.module.css'
import { describeKeeping, describeTerms, formatCharge, titleOf } from './plan-texts.ts'
import { isReplaced, type StagedPlan } from './staged-plans.ts'

interface PlanRowProps {
  readonly plan: StagedPlan
  readonly isFirst: boolean
  readonly isLast: boolean
  readonly onMove: (by: 1 | -1) => void
  readonly onEdit: () => void
  /** Removes the plan, or takes that back. */
  readonly onRemove: (isRemoved: boolean) => void
}

/** A plan with what can be done to it, and what saving will do. */
export function PlanRow({ plan, isFirst, isLast, onMove, onEdit, onRemove }: PlanRowProps) {
  const { saved, period, gigabytes, isRemoved } = plan
  const titleId = useId()
  const title = titleOf(plan)
  const which = `${title} ${period}`
  const change = describeChange(plan)
  return (
    <li className={styles.row} data-removed={isRemoved || undefined} aria-labelledby={titleId}>
      <div className={styles.body}>
        <h4 className={styles.title} id={titleId}>
          <bdi>{title}</bdi>
        </h4>
        {plan.highlight && <span className={styles.badge}>Highlighted</span>}
        <p className={styles.terms}>
          {plan.name !== null && `${tierOf(gigabytes)} · `}
          {formatCharge(plan)}
          {saved && ' · '}
          {saved && <Subscribers planId={saved.planId} count={saved.subscribers} />}
        </p>
        {plan.description !== null && (
          <p className={styles.terms} dir="auto">
            {plan.description}
          </p>
        )}
        {change && <p className={styles.change}>{change}</p>}
      </div>
      <div className={styles.tools}>
        <MoveButton what={which} by={-1} isIdle={isFirst} onMove={onMove} />
        <MoveButton what={which} by={1} isIdle={isLast} onMove={onMove} />
        {!isRemoved && (
          <IconButton label={`Edit ${which}`} onClick={onEdit}>
            <IconPencil size={18} stroke={1.75} />
          </IconButton>
        )}
        {/* One button, so that it keeps the focus. */}
        <IconButton label={isRemoved ? `Keep ${which}` : `Remove ${which}`} onClick={() => onRemove(!isRemoved)}>
          {isRemoved ? <IconArrowBackUp size={18} stroke={1.75} /> : <IconTrash size={18} stroke={1.75} />}
        </IconButton>
      </div>
    </li>
  )
}

interface SubscribersProps {
  readonly planId: number
  readonly count: number
}

/** How many accounts have a plan, with a link to them. */
export function Subscribers({ planId, count }: SubscribersProps) {
  if (count === 0) return 'no subscribers'
  return (
    <Anchor component={Link} to={`/admin/users?plan=${planId}`} inherit>
      {plural(count, 'subscriber')}
    </Anchor>
  )
}

/** Returns what saving will do to the plan; nothing if it doesn't change what is sold. */
function describeChange(plan: StagedPlan): string | undefined {
  const { saved } = plan
  if (!saved) return 'New.'
  const kept = describeKeeping(saved)
  if (plan.isRemoved) return kept ? `No longer sold after saving. ${kept}` : 'No longer sold after saving.'
  return isReplaced(plan) ? (kept ?? `Before: ${describeTerms(saved)}.`) : undefined
}
