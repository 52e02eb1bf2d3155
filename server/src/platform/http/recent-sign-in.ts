import { RECENT_SIGN_IN_WINDOW } from '@alcove/contract/limits'
import type { SessionUser } from '../../context.ts'
import { AppError } from '../../errors.ts'

/** Whether the session began, or was confirmed, a short while ago. Servers whose clocks differ a little agree on that. */
export function isRecentSignIn({ confirmedAt }: Pick<SessionUser, 'confirmedAt'>, now: number): boolean {
  return Math.abs(now - confirmedAt) < RECENT_SIGN_IN_WINDOW
}

/** Throws 403 `reauthentication_required` unless the session began, or was confirmed, a short while ago. */
export function assertRecentSignIn(user: Pick<SessionUser, 'confirmedAt'>, now: number): void {
  if (isRecentSignIn(user, now)) return
  throw new AppError('reauthentication_required', 'Confirm your password to continue.')
}
