import { isPaidPlan } from '@alcove/contract/plans'
import type { SessionUser } from '../../context.ts'
import { AppError } from '../../errors.ts'
import type { Area } from '../../platform/db/tables.ts'

/** Refuses to add to the vault on the free plan. Reading, renaming, restoring and deleting there stay possible. */
export function assertMayAddTo(area: Area, user: SessionUser): void {
  if (area === 'vault' && !isPaidPlan(user.planName)) {
    throw new AppError('plan_required', 'The vault is part of the paid plans.')
  }
}
