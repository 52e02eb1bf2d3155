import { GIGABYTE, MAX_DELETION_GRACE_DAYS } from '@alcove/contract/limits'
import { deleteLeftovers } from '../modules/accounts/index.ts'
import {
  activateUser,
  cancelUserDeletion,
  deleteUserAfter,
  endUserTwoFactor,
  presentUser,
  setUserPlan,
  setUserQuota,
  setUserRole,
  signUserOut,
  suspendUser,
  unsuspendUser,
} from '../modules/admin/index.ts'
import { commandLine } from '../modules/audit/index.ts'
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
        .selectAll()
        .where('email', '>', after)
        .where('deleted_at', 'is', null)
        .orderBy('email')
        .limit(PAGE)
        .execute()
      for (const user of users) {
        const { email, planName, usedBytes, quota, createdAt } = presentUser(user)
        const storage = `${inGigabytes(usedBytes)} of ${inGigabytes(quota)} GB`
        print([email, planName, storage, describeState(user), createdAt].join('\t'))
      }
      const last = users.at(-1)
      if (!last) return
      after = last.email
    }
  },
}

const states = {
  active: 'activated',
  unconfirmed: 'not activated',
  suspended: 'suspended',
  deletion: 'will be deleted',
} as const

function describeState(user: Parameters<typeof presentUser>[0]): string {
  const { state, deletionDueAt } = presentUser(user)
  return deletionDueAt === null ? states[state] : `${states.deletion} on ${deletionDueAt.slice(0, 10)}`
}

function inGigabytes(bytes: number): string {
  return String(Number((bytes / GIGABYTE).toFixed(2)))
}

export const userActivate: Command = {
  name: 'user activate',
  parameters: ['EMAIL'],
  summary: 'Activate an account without the mail',
  async run({ services, print }, email = '') {
    print(await activateUser(services, await changeOf(services.db, email)))
  },
}

export const userSetPlan: Command = {
  name: 'user set-plan',
  parameters: ['EMAIL', 'PLAN_ID'],
  summary: 'Give a user a plan without payment; 0 revokes it',
  async run({ services, print }, email = '', planId = '') {
    const change = await changeOf(services.db, email)
    print(await setUserPlan(services, { ...change, planId: /^\d{1,9}$/.test(planId) ? Number(planId) : planId }))
  },
}

export const userSetQuota: Command = {
  name: 'user set-quota',
  parameters: ['EMAIL', 'QUOTA'],
  summary: 'Give a user a quota in place of the plan’s, such as 500GB or 2TB; plan returns to the plan’s',
  async run({ services, print }, email = '', quota = '') {
    const change = await changeOf(services.db, email)
    print(await setUserQuota(services, { ...change, quota: readQuota(quota) }))
  },
}

/** Returns bytes. Null is the quota of the plan. */
function readQuota(text: string): number | null {
  if (text.toLowerCase() === 'plan') return null
  const [, value, unit] = /^(\d{1,7}(?:\.\d{1,3})?) ?(GB|TB)$/i.exec(text) ?? []
  if (value === undefined || unit === undefined) {
    throw new CommandError(`"${text}" is not a quota. Use a number with GB or TB, such as 500GB, or the word plan.`)
  }
  return Math.round(Number(value) * GIGABYTE * (unit.toUpperCase() === 'TB' ? 1024 : 1))
}

export const userDisableTwoFactor: Command = {
  name: 'user disable-two-factor',
  parameters: ['EMAIL'],
  summary: 'Turn off two-factor sign-in for a user who lost the app and the recovery codes',
  async run({ services, print }, email = '') {
    print(await endUserTwoFactor(services, await changeOf(services.db, email)))
  },
}

export const userSignOut: Command = {
  name: 'user sign-out',
  parameters: ['EMAIL'],
  options: { apps: { summary: 'also revoke all app passwords and API tokens' } },
  summary: 'End all sessions of a user',
  async run({ services, options, print }, email = '') {
    const change = await changeOf(services.db, email)
    print(await signUserOut(services, { ...change, withAppPasswords: options.apps !== undefined }))
  },
}

export const userSetRole: Command = {
  name: 'user set-role',
  parameters: ['EMAIL', 'ROLE'],
  summary: 'Make a user an administrator, or an ordinary user again: the role is admin or user',
  async run({ services, print }, email = '', role = '') {
    if (role !== 'admin' && role !== 'user')
      throw new CommandError(`There is no role ${role}. The roles are admin and user.`)
    print(await setUserRole(services, { ...(await changeOf(services.db, email)), role }))
  },
}

export const userSuspend: Command = {
  name: 'user suspend',
  parameters: ['EMAIL'],
  summary: 'Suspend an account: its sessions, apps, links and shared folders stop working at once',
  async run({ services, print }, email = '') {
    print(await suspendUser(services, await changeOf(services.db, email)))
  },
}

export const userUnsuspend: Command = {
  name: 'user unsuspend',
  parameters: ['EMAIL'],
  summary: 'End the suspension of an account',
  async run({ services, print }, email = '') {
    print(await unsuspendUser(services, await changeOf(services.db, email)))
  },
}

export const userDelete: Command = {
  name: 'user delete',
  parameters: ['EMAIL'],
  options: {
    days: { value: 'DAYS', summary: 'suspend the account now and delete it after so many days; the user gets a mail' },
  },
  summary: 'Delete an account and all its files permanently; cancels its subscription',
  async run(operator, email = '') {
    const { services, options, print } = operator
    const days = readDays(options.days)
    const change = await changeOf(services.db, email)
    const { message } = await deleteUserAfter(services, { ...change, days })
    if (days === 0) {
      // The server may be stopped, so this process deletes the rest. A running server does so at the same time.
      const progress = new Progress({ what: 'Deleted', unit: 'items' }, operator)
      await deleteLeftovers(services, change.userId, (items) => {
        progress.add(0, items)
        return false
      })
    }
    // A server runs the queued jobs; this process has no handlers for them.
    print(message)
  },
}

function readDays(text: string | undefined): number {
  if (text === undefined) return 0
  const days = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (days >= 1 && days <= MAX_DELETION_GRACE_DAYS) return days
  throw new CommandError(`"${text}" is not a number of days. Use a whole number from 1 to ${MAX_DELETION_GRACE_DAYS}.`)
}

export const userKeep: Command = {
  name: 'user keep',
  parameters: ['EMAIL'],
  summary: 'Keep an account that was going to be deleted',
  async run({ services, print }, email = '') {
    print(await cancelUserDeletion(services, await changeOf(services.db, email)))
  },
}

/** Returns who changes which user. */
async function changeOf(db: Database, email: string) {
  return { actor: commandLine(), userId: (await getUser(db, email)).id }
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
