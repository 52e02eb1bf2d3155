import { later } from '../../lib/later.ts'
import { openLater } from '../../ui/dialogs.tsx'
import type { PlanChange } from './describe-change.ts'

const modal = later(() => import('./ChangePlanModal.tsx'))

/** Asks someone who already pays before the plan is changed. */
export function askToChangePlan(change: PlanChange): Promise<boolean> {
  return new Promise((resolve) => {
    void openLater(modal, ({ openChangePlanModal }) => openChangePlanModal(change, resolve)).then(
      (isOpen) => !isOpen && resolve(false),
    )
  })
}
