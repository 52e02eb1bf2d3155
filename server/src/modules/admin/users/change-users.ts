import { GIGABYTE } from '@alcove/contract/limits'
import { FREE_PLAN, planNameOf } from '@alcove/contract/plans'
import type { Services } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import type { UserRole } from '../../../platform/db/tables.ts'
import {
  assertNotLastAdministrator,
  deleteAllAppPasswords,
  endSessions,
  setRole,
  switchTwoFactorOff,
} from '../../accounts/index.ts'
import { noteAudit } from '../../audit/index.ts'
import { getPlan, setGrantedPlan, setOwnQuota } from '../../billing/index.ts'
import { assertNotSelf, changeUser, type UserChange } from './change-user.ts'

// Each operation is used by a call and by a command, notes itself in the audit log, and returns a sentence for either.

/** Activates an account without the mail. */
export function activateUser(services: Services, { actor, userId }: UserChange): Promise<string> {
  return changeUser(services, userId, async (tx, { email, activated_at }) => {
    if (activated_at !== null) return `${email} was activated already.`
    const columns = { activated_at: services.clock.now(), confirmed_email: email, claimed_from: null, proof_hash: null }
    await tx.updateTable('users').set(columns).where('id', '=', userId).execute()
    await noteAudit(services, tx, actor, { action: 'user.activated', target: email })
    return `${email} is activated now.`
  })
}

/** Gives a user a plan without payment; 0 is the free one. Throws if the user pays for a plan, or if there is no such plan. */
export async function setUserPlan(
  services: Services,
  { actor, userId, planId }: UserChange & { planId: number | string },
): Promise<string> {
  const plan = await getPlan(services, planId)
  return changeUser(services, userId, async (tx, { email, plan_name: before }) => {
    const paidPlan = await setGrantedPlan(services, tx, userId, plan)
    if (paidPlan !== undefined) {
      const text = `${email} pays for ${paidPlan}. You can give a plan only to users who don't pay for one.`
      throw new AppError('state_conflict', text)
    }
    const after = plan ? planNameOf(plan) : FREE_PLAN.planName
    await noteAudit(services, tx, actor, { action: 'user.plan', target: email, details: { before, after } })
    return `${email} has the plan ${after} now.`
  })
}

/** Gives a user a quota in place of the plan's, or with null the plan's again. */
export function setUserQuota(
  services: Services,
  { actor, userId, quota }: UserChange & { quota: number | null },
): Promise<string> {
  return changeUser(services, userId, async (tx, user) => {
    const { email, own_quota: before } = user
    await setOwnQuota(services, tx, user, quota)
    if (quota !== before) {
      const details = { before, after: quota }
      await noteAudit(services, tx, actor, { action: 'user.quota', target: email, details })
    }
    if (quota === null) return `${email} has the quota of the plan now.`
    return `${email} has a quota of ${Number((quota / GIGABYTE).toFixed(2))} GB now.`
  })
}

/** Makes a user an administrator, or an ordinary user again. */
export function setUserRole(
  services: Services,
  { actor, userId, role }: UserChange & { role: UserRole },
): Promise<string> {
  if (role === 'user') assertNotSelf({ actor, userId })
  const name = role === 'admin' ? 'an administrator' : 'an ordinary user'
  return changeUser(
    services,
    userId,
    async (tx, { email, site_role: before }) => {
      if (before === role) return `${email} was ${name} already.`
      await setRole(tx, userId, role)
      await noteAudit(services, tx, actor, { action: 'user.role', target: email, details: { before, after: role } })
      return `${email} is ${name} now.`
    },
    role === 'user' ? (tx) => assertNotLastAdministrator(tx, userId) : undefined,
  )
}

/** Ends all sessions of a user, and on request revokes all app passwords. */
export function signUserOut(
  services: Services,
  { actor, userId, withAppPasswords }: UserChange & { withAppPasswords: boolean },
): Promise<string> {
  return changeUser(services, userId, async (tx, { email }) => {
    const sessions = await endSessions(tx, userId, services.clock.now())
    const appPasswords = withAppPasswords ? await deleteAllAppPasswords(tx, userId) : 0
    const details = { sessions, ...(withAppPasswords && { appPasswords }) }
    await noteAudit(services, tx, actor, { action: 'user.signed-out', target: email, details })
    return withAppPasswords
      ? `${email} is signed out everywhere, and all app passwords are revoked.`
      : `${email} is signed out everywhere. App passwords still work.`
  })
}

/** Turns off two-factor sign-in for a user who lost the app and the recovery codes. */
export function endUserTwoFactor(services: Services, { actor, userId }: UserChange): Promise<string> {
  return changeUser(services, userId, async (tx, { email }) => {
    if (!(await switchTwoFactorOff(services, tx, userId))) {
      throw new AppError('state_conflict', `Two-factor sign-in is already off for ${email}.`)
    }
    await noteAudit(services, tx, actor, { action: 'user.two-factor-off', target: email })
    return `Two-factor sign-in is off for ${email} now.`
  })
}
