import { lazyModule } from '../../../lib/lazy-module.ts'
import { openLater } from '../../../ui/dialogs/dialogs.tsx'
import type { PlanChange } from './describe-change.ts'

const modal = lazyModule(() => import('./ChangePlanModal.tsx'))

/** Asks someone who already pays before the plan is changed. */
export function askToChangePlan(change: PlanChange): Promise<boolean> {
  return new Promise((resolve) => {
    void openLater(modal, ({ openChangePlanModal }) => openChangePlanModal(change, resolve)).then(
      (isOpen) => !isOpen && resolve(false),
    )
  })
}
