import type { Services } from '../../../context.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { InvitationRow } from '../../../platform/db/tables.ts'
import { findPlan, grantPlan } from '../../billing/index.ts'
import { setRole } from '../administrators/roles.ts'

type Giving = Pick<Services, 'config' | 'payments' | 'clock'>

/** Gives a new account the role, the plan and the quota of the invitation that it was created with. */
export async function giveWhatWasPromised(
  services: Giving,
  tx: Tx,
  userId: string,
  { role, plan_id, quota }: InvitationRow,
): Promise<void> {
  if (role === 'admin') await setRole(tx, userId, role)
  if (plan_id !== null) await grantPlan(services, tx, userId, await findPlan({ ...services, db: tx }, plan_id))
  if (quota === null) return
  await tx.updateTable('users').set({ own_quota: quota, allocated_bytes: quota }).where('id', '=', userId).execute()
}

/** Uses up the invitation to the verified address of a new account, if there is one. */
export async function useInvitationTo(services: Giving, tx: Tx, email: string, userId: string): Promise<void> {
  const invitation = await tx
    .deleteFrom('invitations')
    .where('email', '=', email)
    .where('expires_at', '>', services.clock.now())
    .returningAll()
    .executeTakeFirst()
  if (invitation) await giveWhatWasPromised(services, tx, userId, invitation)
}

/** Returns whether an address is invited. */
export async function isInvited({ db, clock }: Pick<Services, 'db' | 'clock'>, email: string): Promise<boolean> {
  const found = await db
    .selectFrom('invitations')
    .select('id')
    .where('email', '=', email)
    .where('expires_at', '>', clock.now())
    .executeTakeFirst()
  return found !== undefined
}
