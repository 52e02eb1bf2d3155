import type { Services, UserContext } from '../context.ts'
import type { UserRow } from '../platform/db/tables.ts'

/** Returns the context in which the operator changes a user's files. In the list of activities, the server has done it. */
export function actForUser(services: Services, user: UserRow): UserContext {
  return {
    ...services,
    ip: '',
    bearer: undefined,
    userAgent: '',
    abortSignal: () => new AbortController().signal,
    user: {
      id: user.id,
      sessionId: '',
      confirmedAt: 0,
      email: user.email,
      planId: user.plan_id,
      planName: user.plan_name,
      isActivated: user.activated_at !== null,
      driveRootId: user.drive_root_id,
      vaultRootId: user.vault_root_id,
    },
  }
}
