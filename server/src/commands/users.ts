import { GIGABYTE } from '@alcove/contract/limits'
import { FREE_PLAN, findPlan, type Plan, planNameOf, plans } from '@alcove/contract/plans'
import { deleteLeftovers, deleteUser, setRole, switchTwoFactorOff } from '../modules/accounts/index.ts'
import { commandLine, noteAudit } from '../modules/audit/index.ts'
import { setGrantedPlan } from '../modules/billing/index.ts'
import type { Database } from '../platform/db/database.ts'
import type { UserRow } from '../platform/db/tables.ts'
import { type Command, CommandError } from './command.ts'
import { Progress } from './progress.ts'

const PAGE = 500

export const userList: Command = {
  name: 'user list',
  parameters: [],
  summary: 'List all users: address, plan, gigabytes used and allowed, state, creation date',
  async run({ services: { db }, print }) {
    for (let after = ''; ; ) {
      const users = await db
        .selectFrom('users')
        .select(['email', 'plan_name', 'used_bytes', 'allocated_bytes', 'activated_at', 'created_at'])
        .where('email', '>', after)
        .where('deleted_at', 'is', null)
        .orderBy('email')
        .limit(PAGE)
        .execute()
      for (const user of users) {
        const storage = `${inGigabytes(user.used_bytes)} of ${inGigabytes(user.allocated_bytes)} GB`
        const state = user.activated_at === null ? 'not activated' : 'activated'
        print([user.email, user.plan_name, storage, state, new Date(user.created_at).toISOString()].join('\t'))
      }
      const last = users.at(-1)
      if (!last) return
      after = last.email
    }
  },
}

function inGigabytes(bytes: number): string {
  return String(Number((bytes / GIGABYTE).toFixed(2)))
}

export const userActivate: Command = {
  name: 'user activate',
  parameters: ['EMAIL'],
  summary: 'Activate an account without the mail',
  async run({ services: { db, clock }, print }, email = '') {
    const user = await getUser(db, email)
    const activated = await db
      .updateTable('users')
      .set((eb) => ({
        activated_at: clock.now(),
        confirmed_email: eb.ref('email'),
        claimed_from: null,
        proof_hash: null,
      }))
      .where('id', '=', user.id)
      .where('activated_at', 'is', null)
      .executeTakeFirst()
    print(activated.numUpdatedRows > 0n ? `${user.email} is activated now.` : `${user.email} was activated already.`)
  },
}

export const userSetPlan: Command = {
  name: 'user set-plan',
  parameters: ['EMAIL', 'PLAN_ID'],
  summary: 'Give a user a plan without payment; 0 revokes it',
  async run({ services, print }, email = '', planId = '') {
    const plan = readPlan(planId)
    const user = await getUser(services.db, email)
    const paidPlan = await setGrantedPlan(services, user.id, plan)
    if (paidPlan)
      throw new CommandError(
        `${user.email} pays for ${paidPlan}. You can give a plan only to users who don't pay for one.`,
      )
    print(`${user.email} has the plan ${plan ? planNameOf(plan) : FREE_PLAN.planName} now.`)
  },
}

/** Returns undefined for the free plan. */
function readPlan(planId: string): Plan | undefined {
  if (planId === String(FREE_PLAN.planId)) return undefined
  const plan = /^[1-9]\d*$/.test(planId) ? findPlan(Number(planId)) : undefined
  if (plan) return plan
  const known = plans.map((one) => `${one.planId} (${planNameOf(one)})`).join(', ')
  throw new CommandError(`There is no plan ${planId}. The plans are 0 (${FREE_PLAN.planName}), ${known}.`)
}

export const userDisableTwoFactor: Command = {
  name: 'user disable-two-factor',
  parameters: ['EMAIL'],
  summary: 'Turn off two-factor sign-in for a user who lost the app and the recovery codes',
  async run({ services, print }, email = '') {
    const user = await getUser(services.db, email)
    const isSwitchedOff = await services.db.transaction().execute((tx) => switchTwoFactorOff(services, tx, user.id))
    if (!isSwitchedOff) throw new CommandError(`Two-factor sign-in is already off for ${user.email}.`)
    print(`Two-factor sign-in is off for ${user.email} now.`)
  },
}

export const userSetRole: Command = {
  name: 'user set-role',
  parameters: ['EMAIL', 'ROLE'],
  summary: 'Make a user an administrator, or an ordinary user again: the role is admin or user',
  async run({ services, print }, email = '', role = '') {
    if (role !== 'admin' && role !== 'user')
      throw new CommandError(`There is no role ${role}. The roles are admin and user.`)
    const user = await getUser(services.db, email)
    const before = await services.db.transaction().execute(async (tx) => {
      const found = await setRole(tx, user.id, role)
      if (found === undefined || found === role) return found
      await noteAudit(services, tx, commandLine(), {
        action: 'user.role',
        target: user.email,
        details: { before: found, after: role },
      })
      return found
    })
    const name = role === 'admin' ? 'an administrator' : 'an ordinary user'
    print(before === role ? `${user.email} was ${name} already.` : `${user.email} is ${name} now.`)
  },
}

export const userDelete: Command = {
  name: 'user delete',
  parameters: ['EMAIL'],
  summary: 'Delete an account and all its files permanently; cancels its subscription',
  async run(operator, email = '') {
    const { services, print } = operator
    const user = await getUser(services.db, email)
    await deleteUser(services, user.id)
    // The server may be stopped, so this process deletes the rest. A running server does so at the same time.
    const progress = new Progress({ what: 'Deleted', unit: 'items', items: user.item_count }, operator)
    await deleteLeftovers(services, user.id, (items) => {
      progress.add(0, items)
      return false
    })
    // A server runs the queued jobs; this process has no handlers for them.
    print(`${user.email} is deleted. The server removes the bytes when it runs.`)
  },
}

/** Returns the user with an email address, which is not case-sensitive. */
export async function getUser(db: Database, email: string): Promise<UserRow> {
  const user = await db
    .selectFrom('users')
    .selectAll()
    .where('email', '=', email.trim().toLowerCase())
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!user) throw new CommandError(`There is no user ${email}.`)
  return user
}
