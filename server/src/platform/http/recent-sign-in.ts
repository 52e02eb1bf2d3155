import { RECENT_SIGN_IN_WINDOW } from '@alcove/contract/limits'
import type { SessionUser } from '../../context.ts'
import { AppError } from '../../errors.ts'

/**
 * Throws 403 `reauthentication_required` unless the session began, or was confirmed, a short while ago. Servers whose
 * clocks differ a little agree on that.
 */
export function assertRecentSignIn({ confirmedAt }: Pick<SessionUser, 'confirmedAt'>, now: number): void {
  if (Math.abs(now - confirmedAt) < RECENT_SIGN_IN_WINDOW) return
  throw new AppError('reauthentication_required', 'Confirm your password to continue.')
}
