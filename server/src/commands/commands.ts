import { backup } from './backup.ts'
import type { Command } from './command.ts'
import { migrateTo } from './migrate-to.ts'
import { restore } from './restore.ts'
import { stripeSyncPlans } from './stripe-sync-plans.ts'
import { userActivate } from './user-activate.ts'
import { userDelete } from './user-delete.ts'
import { userDisableTwoFactor } from './user-disable-two-factor.ts'
import { userList } from './user-list.ts'
import { userSetPlan } from './user-set-plan.ts'
import { verify } from './verify.ts'

/** The operator's command line, in the order of its help. A new command is a file beside this one, and a line here. */
export const commands: readonly Command[] = [
  userList,
  userActivate,
  userSetPlan,
  userDisableTwoFactor,
  userDelete,
  stripeSyncPlans,
  verify,
  backup,
  restore,
  migrateTo,
]
